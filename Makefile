# Amber: every command a person needs. `make help` lists them.

SWIFT ?= swift
API ?=
SOURCE ?= auto
# Empty means the folder of the configuration, or Output.
OUTPUT ?=
PORT ?= 8000
PREFIX ?= /usr/local
DESTDIR ?=

BINARY := .build/release/amber
# AMBER_CALLER makes the program suggest make commands. With exec a signal reaches the program instead of a shell.
AMBER := exec env AMBER_CALLER=make $(BINARY)
# Quotes a value as one word for the shell.
quoted = '$(subst ','\'',$(1))'
FOLDER := $(or $(OUTPUT),Output)
# Warnings are errors with Swift 6.3, the version of the checks. A newer version can have new warnings.
WARNINGS = $(shell $(SWIFT) --version 2>/dev/null | grep -q 'version 6\.3' && echo -Xswiftc -warnings-as-errors)
# The program and the tests are built with the same flags, so that they share one build. Debug information is left out,
# because it would take a tenth of the time.
RELEASE = $(SWIFT) build --quiet --configuration release -Xswiftc -gnone -Xswiftc -use-ld=lld $(WARNINGS)
# --disable-xctest: the tests use Swift Testing only. In batch mode, the compiler prints a warning that it ignores the option
# -num-threads of SwiftPM. It is left out.
TEST_BUILD = bash -o pipefail -c "$(RELEASE) --build-tests --disable-xctest 2>&1 | { grep -v 'cannot multithread batch mode' || true; }"
SWIFT_FILES := Package.swift Sources Tests Fuzz/Package.swift Fuzz/Sources
OPTIONS := $(if $(OUTPUT),--output $(call quoted,$(OUTPUT))) $(if $(API),--api $(call quoted,$(API))) $(if $(CONFIG),--config $(call quoted,$(CONFIG)))

.PHONY: site media test serve watch lint format bench clean check verify snapshot judge-html judges browser-test cluster-test soak fuzz sanitize build setup install uninstall dist dist-test help

site: build ## build the site into Output/site: SOURCE=auto|live|archive|sample  API=URL  OUTPUT=DIR  CONFIG=FILE
	@$(AMBER) build $(OPTIONS) --source $(SOURCE)

media: build ## build the site of the searches in media.json into Output/media: SOURCE=…  API=URL  OUTPUT=DIR  CONFIG=FILE
	@$(AMBER) build --config $(call quoted,$(or $(CONFIG),media.json)) $(if $(OUTPUT),--output $(call quoted,$(OUTPUT)/media)) $(if $(API),--api $(call quoted,$(API))) --source $(SOURCE)

test: setup ## build and run all tests: FILTER=REGEX for matching suites  JOBS=N
	$(TEST_BUILD)
	@Scripts/test $(if $(FILTER),--filter $(call quoted,$(FILTER))) $(if $(JOBS),--jobs $(JOBS))

serve: build ## serve the site on http://127.0.0.1:8000: PORT=P  OUTPUT=DIR  CONFIG=FILE
	@$(AMBER) serve $(OPTIONS) --port $(PORT)

watch: build ## serve the site and update it whenever a template is saved: PORT=P  OUTPUT=DIR  API=URL  CONFIG=FILE
	@$(AMBER) serve --watch $(OPTIONS) --port $(PORT)

check: build ## check the pages of the published site
	@$(AMBER) check $(OPTIONS)

verify: build ## check archive, site and snapshots offline, byte for byte: KEY=FILE  CONFIG=FILE
	@$(AMBER) verify $(OPTIONS) $(if $(KEY),--key $(call quoted,$(KEY)))

snapshot: build ## package a revision into Output/snapshots: REVISION=R  KEY=FILE  CONFIG=FILE
	@$(AMBER) snapshot $(OPTIONS) $(if $(REVISION),--revision $(REVISION)) $(if $(KEY),--key $(call quoted,$(KEY)))

lint: setup ## check formatting, the rules in Scripts/laws and compiler warnings
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)
	Scripts/laws
	$(TEST_BUILD)

format: ## format all Swift files in place
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

bench: build ## compare speed and memory with other programs: RUNS=N  SCALE=CHARACTERS  ONLY=GROUP  BEFORE=PROGRAM
	@Scripts/bench --runs $(or $(RUNS),5) --scale $(or $(SCALE),100000) $(addprefix --only ,$(ONLY)) $(if $(BEFORE),--before $(call quoted,$(BEFORE)))

judge-html: build ## check every page with the Nu HTML checker, as HTML and as XHTML
	@Scripts/judge-html $(call quoted,$(FOLDER)/site)

judges: build ## check packages with bagit, py-wacz, warcio, pywb and openssl, declarations with jsonschema, and a site on nginx and Caddy: ONLY=NAME  RECORDS=all
	@$(TEST_BUILD)
	@AMBER_ALL_RECORDS=$(RECORDS) Scripts/judge-archives $(if $(ONLY),--only $(call quoted,$(ONLY)))

cluster-test: build ## render a site on a Slurm cluster of four nodes on this machine: CHARACTERS=N
	@Scripts/cluster-test $(if $(CHARACTERS),--characters $(CHARACTERS))

browser-test: build ## test the site in a real browser
	@Scripts/browser-test

soak: build ## kill builds and damage answers over and over, KILLS=N times each (300), or for MINUTES=N
	@$(TEST_BUILD)
	@AMBER_SOAK_MINUTES=$(MINUTES) AMBER_SOAK_KILLS=$(KILLS) Scripts/soak

fuzz: setup ## test every reader with random input: RUNS=N for each target  DURATION=SECONDS instead  TARGETS=NAMES
	@RUNS=$(or $(RUNS),100000) DURATION=$(or $(DURATION),0) SWIFT=$(SWIFT) Scripts/fuzz $(TARGETS)

sanitize: setup ## run all tests under ThreadSanitizer and AddressSanitizer
	@SWIFT=$(SWIFT) Scripts/sanitize

clean: ## remove the site and everything that was built, but not the archive
	rm -rf .build Output/screenshots dist
	cd $(call quoted,$(FOLDER)) 2>/dev/null && rm -rf site .amber cards parts media/site media/.amber || true

install: build ## install program, templates, manual page and completions: PREFIX=/usr/local  DESTDIR=DIR
	@BINARY=$(BINARY) PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) Scripts/install install

uninstall: ## remove exactly what make install installed: PREFIX=/usr/local  DESTDIR=DIR
	@PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) Scripts/install uninstall

dist: build ## build a reproducible package for Debian 12 in dist/
	@BINARY=$(BINARY) Scripts/dist

dist-test: dist ## install the package in a minimal Debian and build a site there; needs root
	@Scripts/dist-test

build: setup ## build only the program: .build/release/amber
	@[ -e $(BINARY) ] || echo 'Building the program. The first build takes some minutes.' >&2
	@$(RELEASE) --product amber

setup:
	@Scripts/setup

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)
