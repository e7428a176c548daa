"""What Schemathesis cannot know from the contract, and where its verdict is not ours.

Read by `npm run test:contract`. The list at the end of its output is `EXCLUSIONS`.
"""

import atexit
import json
import os
import unicodedata

import schemathesis
from hypothesis import strategies as st

OWN_KEY_ID = os.environ["CONTRACT_API_KEY_ID"]
SEVERITIES = ["critical", "high", "medium", "low", "none", "unknown"]
STATUSES = ["open", "fixed", "accepted"]

hosts = st.from_regex(r"[a-z]{1,20}(\.[a-z]{2,10}){1,2}", fullmatch=True)
paths = st.from_regex(r"[a-z0-9]{1,20}(/[a-z0-9-]{1,20}){0,3}", fullmatch=True)
schemes = st.sampled_from(["http", "https", "ssh", "git", "git+https", "git+ssh"])

# The formats of the contract's own.
schemathesis.openapi.format(
    "repo-url",
    st.builds("{}://{}/{}".format, schemes, hosts, paths)
    | st.builds("git@{}:{}".format, hosts, paths),
)
# Alerts and tests of rules are sent there: to a name that nobody can have (RFC 2606, 2).
schemathesis.openapi.format("webhook-url", st.builds("https://{}.example/{}".format, hosts, paths))
schemathesis.openapi.format(
    "severity-list",
    st.lists(st.sampled_from(SEVERITIES), min_size=1, max_size=6).map(",".join),
)
schemathesis.openapi.format(
    "status-list",
    st.lists(st.sampled_from(STATUSES), min_size=1, max_size=3).map(",".join),
)

names = st.from_regex(r"[a-z][a-z0-9-]{0,20}", fullmatch=True)
schemathesis.openapi.format(
    "purl",
    st.builds("pkg:npm/{}@{}.0.0".format, names, st.integers(0, 9))
    | st.builds("pkg:{}/{}".format, st.sampled_from(["npm", "pypi", "generic"]), names)
    | st.just("pkg:npm/lodash@4.17.15"),
)

packages = st.sampled_from(["lodash@4.17.15", "minimist@0.0.8", "minimist@1.2.8", "left-pad@1.3.0"])


def cyclonedx(names):
    split = [name.split("@") for name in names]
    components = [
        {"type": "library", "name": name, "version": version, "purl": f"pkg:npm/{name}@{version}"}
        for name, version in split
    ]
    document = {"bomFormat": "CycloneDX", "specVersion": "1.5", "components": components}
    return json.dumps(document).encode()


# What is uploaded: small documents that are accepted, most of them with vulnerabilities.
schemathesis.openapi.media_type(
    "application/octet-stream", st.lists(packages, max_size=3, unique=True).map(cyclonedx)
)


left_out = []


@schemathesis.hook
def filter_case(context, case):
    """Leaves out what would revoke the key of the run: all that follows would be 401."""
    if case.operation.definition.raw.get("operationId") != "deleteApiKey":
        return True
    is_own = str((case.path_parameters or {}).get("api_key_id")).lower() == OWN_KEY_ID
    if is_own:
        left_out.append(case.id)
    return not is_own


# What was made of which project and service, and what was deleted: the latter takes the former along.
owners = {}
deleted = set()


@schemathesis.hook
def after_call(context, case, response):
    if case.method == "POST" and response.status_code == 201 and isinstance(case.body, dict):
        parts = [str(case.body.get(name)) for name in ("project_id", "service_id")]
        owners[response.json()["id"]] = {part.lower() for part in parts}
    if case.method == "DELETE" and response.status_code == 204:
        deleted.update(str(value).lower() for value in case.path_parameters.values())


def problems(response):
    """`(place, type)` of every problem of a 422."""
    if response.status_code != 422:
        return set()
    return {(".".join(map(str, one["loc"])), one["type"]) for one in response.json()["detail"]}


def has_control_character(text):
    return any(unicodedata.category(character) == "Cc" for character in text)


# Each: check, operations, what is not counted as a failure, why. Everything else of the check stays.
EXCLUSIONS = []


def excluded(check, operations, reason):
    def add(applies):
        EXCLUSIONS.append(
            {
                "check": check,
                "operations": operations.split(),
                "reason": reason,
                "applies": applies,
                "count": 0,
            }
        )
        return applies

    return add


@excluded(
    "negative_data_rejection",
    "listVulnerabilities listActiveVulnerabilities getVulnerabilitySummary listAcceptances "
    "groupVulnerabilities listAuditEntries listSbomCoverage searchPackages searchLicenses "
    "searchVulnerability",
    "an empty filter counts as not given (`x-when-empty: omit`)",
)
def _(case, response):
    return response.status_code == 200 and "" in (case.query or {}).values()


@excluded(
    "positive_data_acceptance",
    "createAcceptance createApiKey createOwnApiKey",
    "`expires_at` must lie ahead (`x-future`), which JSON Schema cannot say",
)
def _(case, response):
    return problems(response) == {("body.expires_at", "datetime_future")}


@excluded(
    "positive_data_acceptance",
    "uploadSbom",
    "an empty `project_id` or `project_slug` counts as not given (`x-when-empty: omit`)",
)
def _(case, response):
    given = [case.body.get(name) for name in ("project_id", "project_slug")]
    return problems(response) == {("body.project_id", "missing")} and not any(given)


@excluded(
    "positive_data_acceptance",
    "uploadSbom",
    "a part must have a name (RFC 7578, 4.2), and one without control characters (RFC 9110, 5.5)",
)
def _(case, response):
    is_broken = response.status_code == 400 and response.json()["code"] == "malformed_multipart"
    return is_broken and any(name == "" or has_control_character(name) for name in case.body)


@excluded(
    "negative_data_rejection",
    "uploadSbom",
    "a link has put a valid project in place of the wrong one: nothing is wrong any more",
)
def _(case, response):
    if response.status_code != 201 or not isinstance(case.body, dict):
        return False
    texts = [case.body.get(name, "") for name in ("version", "service_name")]
    projects = [case.body.get(name) for name in ("project_id", "project_slug")]
    return sum(map(bool, projects)) == 1 and all(len(str(text)) <= 255 for text in texts)


@excluded(
    "positive_data_acceptance",
    "listProjects listVulnerabilities listActiveVulnerabilities getVulnerabilitySummary "
    "groupVulnerabilities listAuditEntries uploadSbom searchPackages "
    "searchLicenses",
    "U+FFFD in a query or a form stands for bytes that are no UTF-8",
)
def _(case, response):
    return {kind for _, kind in problems(response)} == {"string_unicode"}


@excluded(
    "ensure_resource_availability",
    "getSbom downloadSbom deleteSbom diffSboms getVulnerability deleteAcceptance updateAlertRule "
    "deleteAlertRule testAlertRule listAlertDeliveries previewAlertRule deleteApiKey",
    "its project or its service was deleted, and it with them",
)
def _(case, response):
    return any(owners.get(str(id), set()) & deleted for id in case.path_parameters.values())


@excluded(
    "ensure_resource_availability",
    "updateAlertRule",
    "it is the project in the body that does not exist, not the rule",
)
def _(case, response):
    return response.status_code == 404 and response.json()["code"] == "project_not_found"


@excluded(
    "positive_data_acceptance",
    "searchLicenses",
    "exactly one of `license` and `group` (`x-exactly-one-of`), which OpenAPI cannot say of a query, and "
    "`license` is an id of the SPDX list or `LicenseRef-…`",
)
def _(case, response):
    return problems(response) <= {
        ("query.license", "missing"),
        ("query.license", "value_error"),
    }


@excluded(
    "positive_data_acceptance",
    "searchPackages",
    "exactly one of `purl` and `name` (`x-exactly-one-of`), which OpenAPI cannot say of a query, and no "
    "version beside the one of the purl",
)
def _(case, response):
    return problems(response) <= {
        ("query.purl", "missing"),
        ("query.purl", "value_error"),
        ("query.version", "value_error"),
    }


@excluded(
    "positive_data_acceptance",
    "createProject updateProject",
    "a name of white space is empty once it is trimmed (`x-trim`)",
)
def _(case, response):
    is_short = problems(response) == {("body.name", "string_too_short")}
    return is_short and case.body["name"] != ""


@excluded(
    "positive_data_acceptance",
    "uploadSbom",
    "a link has put the id of a project beside a slug, and only one may be given",
)
def _(case, response):
    is_both = problems(response) == {("body.project_id", "value_error")}
    return is_both and all(case.body.get(name) for name in ("project_id", "project_slug"))


@excluded(
    "positive_data_acceptance",
    "createAlertRule updateAlertRule",
    "the maximum number of recipients is a setting (`x-max-recipients`), 20 by default",
)
def _(case, response):
    is_too_long = problems(response) == {("body.config.recipients", "too_long")}
    return is_too_long and len(case.body["config"]["recipients"]) > 20


@excluded(
    "positive_data_acceptance",
    "testAlertRule",
    "a rule is tested once in ten seconds",
)
def _(case, response):
    return response.status_code == 429


@schemathesis.hook
def filter_failure(context, failure, case, response):
    operation = case.operation.definition.raw.get("operationId")
    for exclusion in EXCLUSIONS:
        if exclusion["check"] not in failure.checks or operation not in exclusion["operations"]:
            continue
        if exclusion["applies"](case, response):
            exclusion["count"] += 1
            return False
    return True


@atexit.register
def list_exclusions():
    print("\nExclusions:")
    print(f"- deleteApiKey with the key of the run ({len(left_out)} times): the rest would be 401")
    for one in EXCLUSIONS:
        where = ", ".join(one["operations"])
        print(f"- {one['check']} at {where} ({one['count']} times): {one['reason']}")
