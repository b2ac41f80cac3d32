"""How each kind of manifest writes down what it depends on: one row of expressions a format."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.analyzer.vocabulary import words_of

_NAME = r"[A-Za-z0-9@][A-Za-z0-9_.@/+-]{0,119}"
_VERSION = r"[\^~<>=v ]{0,4}\d[\w.+*:@-]{0,79}"
_SPEC = r"(?:[=<>~!^]=?=?|@)\s{0,3}[^\"'#;]{1,240}"
_REQUIREMENT = rf"(?P<name>[A-Za-z0-9][\w.-]{{0,99}}(?:\[[^\]]{{0,60}}\])?)\s{{0,3}}\(?(?P<version>{_SPEC})?"


@dataclass(frozen=True, slots=True)
class Format:
    """One format: the names of its files, expressions of its lines, the sections and lists that hold dependencies."""

    files: re.Pattern[str]
    lines: tuple[re.Pattern[str], ...]
    sections: frozenset[str] = frozenset()
    """Words of section names that hold dependencies; empty where a format has no sections."""
    floors: re.Pattern[str] | None = None
    """Lines that demand a version of the language itself; read in every section."""
    needs_section: bool = False
    """Whether a line proves nothing where the section is not seen."""
    bare: bool = False
    """Whether a name without a version is a dependency."""


def _format(files: str, *lines: str, floors: str | None = None, sections: str = "", **flags: bool) -> Format:
    return Format(
        files=re.compile(rf"(?:^|/)(?:{files})$"),
        lines=tuple(re.compile(line, re.IGNORECASE) for line in lines),
        sections=words_of(sections),
        floors=re.compile(floors, re.IGNORECASE) if floors else None,
        **flags,
    )


_TOML_ENTRY = (
    rf"""["']?(?P<name>[A-Za-z][\w.-]{{0,99}})["']?\s?=\s?["'](?P<version>{_VERSION}[^"']{{0,60}})["']""",
    (
        rf"""["']?(?P<name>[A-Za-z][\w.-]{{0,99}})["']?\s?=\s?"""
        rf"""\{{.{{0,200}}?\bversion(?:\.ref)?\s?=\s?["'](?P<version>{_VERSION}[^"']{{0,60}})"""
    ),
    (
        r"""["']?(?P<name>[A-Za-z][\w.-]{0,99})["']?\s?=\s?\{.{0,200}?\b(?:rev|tag|branch|git)"""
        r"""\s?=\s?["'](?P<version>[^"']{1,120})"""
    ),
)
_OWN_VERSION = r"(?!version\b|rust-version\b|edition\b|name\b|resolver\b|description\b)"

FORMATS: tuple[Format, ...] = (
    _format(
        r"package\.json|composer\.json|deno\.jsonc?|bower\.json|vcpkg\.json",
        r"\"(?P<name>[^\"]{1,120})\"\s?:\s?\"(?P<version>(?:[~^<>=v ]{0,4}\d|npm:|jsr:|git[+:@]|github:|"
        r"(?:git\+)?https?:[^\"]{1,80}\.(?:git|tgz))[^\"]{0,100})\"",
        floors=r"\"(?P<name>node|npm|pnpm|yarn|bun|deno|vscode|php)\"\s?:\s?"
        r"\"(?P<version>[~^<>=v ]{0,4}\d[^\"]{0,60})\"",
        sections="dependencies devDependencies peerDependencies optionalDependencies overrides resolutions require "
        "require-dev imports engines catalog catalogs bundledDependencies pnpm",
    ),
    _format(
        r"cargo\.toml",
        *(_OWN_VERSION + line for line in _TOML_ENTRY),
        floors=r"(?P<name>rust-version|edition)\s?=\s?\"(?P<version>[\d.]+)\"",
        sections="dependencies dev-dependencies build-dependencies patch replace",
    ),
    _format(
        r"pyproject\.toml|pipfile",
        rf"[\"']{_REQUIREMENT}(?:;[^\"']{{0,120}})?[\"'],?",
        *_TOML_ENTRY,
        floors=r"(?P<name>requires-python|python_version)\s?=\s?[\"'](?P<version>[^\"']{1,40})[\"']",
        sections="dependencies dev-dependencies dependency-groups optional-dependencies build-system packages "
        "dev-packages constraint-dependencies override-dependencies requires",
        needs_section=True,
    ),
    _format(r"[\w.-]*versions\.toml", *_TOML_ENTRY, sections="versions libraries plugins bundles"),
    _format(
        r"rust-toolchain(?:\.toml)?",
        r"(?P<name>channel)\s?=\s?[\"'](?P<version>[^\"']{1,40})",
        r"(?P<name>)(?P<version>\d[\w.-]{0,40}|stable|nightly\S{0,20})$",
    ),
    _format(r"\.?mise\.toml", *_TOML_ENTRY, sections="tools"),
    _format(
        r"[^/]*requirements[^/]*\.(?:txt|in)|requirements/.{1,80}\.(?:txt|in)|constraints[^/]*\.txt",
        rf"{_REQUIREMENT}\s*\)?\s*(?:[;#\\].*)?$",
        bare=True,
    ),
    _format(
        r"setup\.py|setup\.cfg",
        r"(?:[^#=]{0,80}?[\"'])?(?P<name>[A-Za-z][\w.-]{1,99}(?:\[[^\]]{0,60}\])?)"
        r"\s{0,3}(?P<version>(?:[<>~!]=|===?|[<>])\s{0,3}\d[^\"'#;]{0,80})"
        r"(?:;[^\"']{0,120})?[\"']?[\],]{0,3}$",
        floors=r"(?P<name>python_requires)\s?=\s?[\"']?(?P<version>[<>=~!]{1,2}\s?\d[\w.,<>=!~* ]{0,40})",
    ),
    _format(
        r"environment[^/]*\.ya?ml|meta\.ya?ml",
        r"-\s+[\"']?(?P<name>[A-Za-z][\w.:-]{1,99})\s?(?P<version>[=<>~!]{1,2}\s?\d[^\"'#]{0,60})",
    ),
    _format(
        r"pnpm-workspace\.ya?ml",
        rf"[\"']?(?P<name>{_NAME})[\"']?:\s+[\"']?(?P<version>(?:[~^<>=]{{1,2}}\s?)?\d+\.[\w.+-]{{1,60}}|"
        rf"npm:[^\"']{{1,80}})[\"']?",
        sections="catalog catalogs overrides configDependencies",
    ),
    _format(
        r"go\.mod|go\.work",
        r"(?:require\s+)?(?P<name>(?!go\s|toolchain\s|module\s|//)[\w.~/-]{3,120})\s+(?P<version>v\d[\w.+-]{0,80})",
        r"(?:replace\s+)?\S{3,120}(?:\s+v\S{1,60})?\s+=>\s+(?P<name>[\w~-][\w.~/-]{2,120})"
        r"\s+(?P<version>v\d[\w.+-]{0,80})",
        floors=r"(?P<name>go|toolchain)\s+(?P<version>(?:go)?\d[\w.]{0,20})$",
    ),
    _format(
        r"gemfile|gems\.rb|[^/]*\.gemspec|podfile|cartfile",
        r"(?:gem|pod|github|\w+\.add_(?:runtime_|development_)?dependency)[ (]+[\"'](?P<name>[\w./-]{1,80})"
        r"[\"'](?:\s?,\s?[\"'](?P<version>[^\"']{1,40})[\"'])?",
        floors=r"(?P<name>ruby|platform :\w+|\w+\.required_ruby_version)[ ,=]+[\"'](?P<version>[^\"']{1,40})[\"']",
        bare=True,
    ),
    _format(
        r"[^/]*\.gradle(?:\.kts)?|dependencies\.scala|[^/]*\.sbt|deps\.edn|project\.clj",
        r".{0,120}?[\"'](?P<name>[\w.-]{2,80}:[\w.-]{2,80}):(?P<version>\d[\w.+-]{0,60})",
        r".{0,80}?\bid[ (]*[\"'](?P<name>[\w.-]{2,80})[\"']\)?\s*version\s*[\"'](?P<version>[^\"']{1,40})",
        r".{0,80}?[\"'](?P<name>[\w.-]{2,80}[\"']\s*%{1,3}\s*[\"'][\w.-]{2,80})"
        r"[\"']\s*%\s*[\"'](?P<version>\d[^\"']{0,40})",
        r"\[?(?P<name>[\w.-]{2,60}/[\w.-]{2,60})\s+(?:\{:mvn/version\s+)?\"(?P<version>\d[^\"]{0,40})\"",
        r"(?P<name>[A-Za-z]\w{1,50})\s*:\s*[\"'](?P<version>\d[\w.+-]{0,40})[\"'],?\s{0,3}(?://.*)?$",
        r"(?:def |val |ext\.|set\()?\s?(?P<name>(?!version\b)\w{0,50}version\w{0,20})"
        r"\s?=\s?[\"']?(?P<version>\d[\w.+-]{0,40})[\"']?$",
        floors=r"(?P<name>sourceCompatibility|targetCompatibility|minJavaVersion|jvmTarget|jvmToolchain|scalaVersion|.{0,60}?JavaLanguageVersion\.of)\s*(?::?=\s*|\()\s*[\"']?(?:JavaVersion\.VERSION_)?(?P<version>\d[\w.]{0,20})",
    ),
    _format(
        r"pom\.xml|ivy\.xml|[^/]*\.(?:cs|fs|vb)proj|[^/]*\.props|[^/]*\.targets|packages\.config",
        r"<(?:PackageReference|PackageVersion|package|dependency)\b.{0,60}?\b(?:Include|Update|id|name)"
        r"=\"(?P<name>[\w.-]{1,99})\".{0,60}?\b(?:version|rev)=\"(?P<version>[^\"]{1,40})\"",
        r"<(?P<name>[\w.-]{1,80}[.-]?version)>(?P<version>\d[^<]{0,40})</",
        r"<(?P<name>)version>(?P<version>\d[^<]{0,40})</version>",
        floors=r"<(?P<name>TargetFrameworks?|maven\.compiler\.(?:release|source|target)|LangVersion)>(?P<version>[^<]{1,60})</",
    ),
    _format(
        r"package\.swift",
        r".{0,40}?\.package\(.{0,20}?url:\s?\"(?P<name>[^\"]{1,120}?)(?:\.git)?\".{0,40}?\"(?P<version>\d[^\"]{0,40})"
        r"\"",
        floors=r"//\s?(?P<name>swift-tools-version):\s?(?P<version>\d[\w.]{0,10})",
    ),
    _format(
        r"conanfile\.(?:txt|py)",
        r".{0,40}?[\"']?(?P<name>[a-z][\w.+-]{1,60})/(?P<version>\d[\w.+-]{0,40})(?:@\S{0,60})?[\"']?\)?,?$",
    ),
    _format(
        r"cmakelists\.txt|[^/]*\.cmake(?:\.in)?|meson\.build|deps",
        r"(?P<name>GIT_TAG|URL)\s+[\"']?(?P<version>(?!\$)[\w./:+-]{2,120})",
        r"find_package\s?\(\s?(?P<name>[\w-]{1,60})\s+(?P<version>\d[\w.]{0,20})",
        r"set\s?\(\s?(?P<name>\w{0,50}(?:VERSION|TAG|COMMIT|REVISION))\s+[\"']?(?P<version>v?\d[\w.+-]{0,60}|"
        r"[0-9a-f]{7,40})[\"']?",
        r"(?:CPMAddPackage|bazel_dep)\s?\(\s?(?:NAME\s+)?[\"'](?:gh:)?(?P<name>[\w./-]{1,80}?)"
        r"[#@](?P<version>[\w.+-]{1,60})",
        r"[\"'](?P<name>[\w-]{1,60}_(?:revision|version))[\"']\s?:\s?[\"'](?P<version>[\w.:+-]{2,80})[\"']",
        floors=r"(?:set\s?\(\s?)?(?P<name>CMAKE_(?:C|CXX|CUDA)_STANDARD|cmake_minimum_required\s?\(\s?VERSION)\s+(?P<version>\d[\w.]{0,20})",
    ),
    _format(
        r"(?:[^/]*\.)?(?:dockerfile|containerfile)(?:[.-][^/]*)?",
        r"FROM\s+(?:--\S{1,60}\s+)?(?P<name>[^\s:@$]{1,120})(?:[:@](?P<version>[^\s]{1,160}))?",
        r"(?:ARG|ENV)\s+(?P<name>\w{0,60}(?:VERSION|BRANCH|TAG|COMMIT|REF|IMAGE|SHA)\w{0,20})"
        r"\s?=\s?[\"']?(?P<version>[^\s\"'$]{1,120})",
        r".{0,200}?(?<![\w.@/:\[,$-])[\"']?(?P<name>[A-Za-z@][\w.@/+-]{1,80}(?:\[[^\]]{0,60}\])?)(?:==|@|>=|=)"
        r"(?P<version>v?\d+\.[\w.*+-]{1,40})",
    ),
    _format(
        r"\.python-version|\.nvmrc|\.node-version|\.ruby-version|\.go-version|\.java-version|\.swift-version|"
        r"\.xcode-version|\.tool-versions|runtime\.txt|\.sdkmanrc|build\.properties|(?:gradle|maven)"
        r"-wrapper\.properties",
        r"distributionUrl\s?=\s?\S{1,120}?/(?P<name>[a-z-]{2,30}?)-(?P<version>\d[\w.]{0,20}?)-",
        r"(?P<name>(?:[a-z][\w.-]{1,30})?)[ =:-]{0,3}(?P<version>v?\d[\w.+-]{0,40}|lts/\S{1,20})$",
    ),
    _format(
        r"[^/]*\.nix|brewfile",
        r"(?P<name>[\w.-]{1,60}?)(?:\.url|\.?version)\s?=\s?\"(?P<version>[^\"]{1,120})\"",
    ),
)
"""The first row whose files fit is the one."""

LOCAL_PLACES = ("workspace:", "link:", "file:", "portal:", "catalog:", "path:", "./", "../")
"""Versions that name a place in the same repository, or say that the version stands elsewhere."""
