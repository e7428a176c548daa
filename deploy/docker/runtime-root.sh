#!/bin/sh
# Writes the root of an image that holds Node.js and what it needs to run, and nothing else: no shell,
# no package manager, no npm. Used on the Debian of the official Node.js image: runtime-root.sh <folder>
set -eu
root=$1
node=$(command -v node)

mkdir -p "$root/usr/local/bin" "$root/etc" "$root/app" "$root/tmp" "$root/var/lib/dpkg/status.d"
chmod 1777 "$root/tmp"
cp -L "$node" "$root/usr/local/bin/node"

# The libraries that node is linked with, at the places where its loader looks for them.
libraries=$(ldd "$node" | sed -n 's/^.* => \(\/[^ ]*\) .*$/\1/p; s/^[[:space:]]*\(\/[^ ]*\) .*$/\1/p')
for library in $libraries; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

echo 'node:x:1000:1000:node:/app:/sbin/nologin' >"$root/etc/passwd"
echo 'node:x:1000:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"

# What a scanner of images reads to know these libraries by package and version.
for package in libc6 libgcc-s1 libstdc++6; do
  dpkg-query --status "$package" >"$root/var/lib/dpkg/status.d/$package"
done
if [ -f /etc/os-release ]; then cp -L /etc/os-release "$root/etc/os-release"; fi
