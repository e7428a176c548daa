# All images for both platforms: docker buildx bake, or one of them: docker buildx bake scanner. Several platforms need
# a builder in a container: docker buildx create --use.
# The release sets the variables: REGISTRY=registry.example.org/bomtrail COMMIT=… BUILT_AT=… docker buildx bake --push

variable "REGISTRY" {
  description = "Registry and path, without a slash at the end."
  default     = "localhost"
}

variable "VERSION" {
  default = "1.0.1"
}

variable "COMMIT" {
  default = ""
}

variable "BUILT_AT" {
  description = "UTC, as in 2026-01-31T12:00:00Z."
  default     = ""
}

group "default" {
  targets = ["image"]
}

target "image" {
  name = image
  matrix = {
    image = ["gateway", "ingest", "catalog", "scanner", "reconciler", "notifier", "tools", "cli"]
  }
  context    = "."
  dockerfile = "deploy/docker/Dockerfile"
  target     = image
  platforms  = ["linux/amd64", "linux/arm64"]
  tags       = ["${REGISTRY}/bomtrail-${image}:${VERSION}"]
  args = {
    BOMTRAIL_VERSION  = VERSION
    BOMTRAIL_COMMIT   = COMMIT
    BOMTRAIL_BUILT_AT = BUILT_AT
  }
  labels = {
    "org.opencontainers.image.title" = "bomtrail-${image}"
  }
  attest = ["type=sbom", "type=provenance,mode=max"]
}
