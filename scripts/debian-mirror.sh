# shellcheck shell=bash
# debian_sources SUITE COMPONENTS: the lines of sources.list for SUITE, one a line, of the mirror from which this machine
# takes its own packages: apt itself reads its configuration, in either format. A machine that is no Debian has no such
# address: nothing is printed, and mmdebstrap then takes its default.
debian_sources() {
  local suite=$1 components=$2 codename mirror security
  codename=$(. /etc/os-release && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-}" || true)
  [ -n "$codename" ] || return 0
  uri_of() {
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
      awk -v release="$1" '$2 == release && $3 == "main" && !found { print $1; found = 1 }'
  }
  mirror=$(uri_of "$codename")
  [ -n "$mirror" ] || return 0
  printf 'deb %s %s %s\n' "$mirror" "$suite" "$components" "$mirror" "$suite-updates" "$components"
  security=$(uri_of "$codename-security")
  [ -z "$security" ] || printf 'deb %s %s %s\n' "$security" "$suite-security" "$components"
}
