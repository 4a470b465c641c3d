# Amber: every command a person needs. `make help` lists them.
# CI=true or a plain pipe makes no difference: the same commands run everywhere.

SWIFT ?= swift
API ?=
SOURCE ?= auto
# Where it is not given, the configuration says where, or it is Output.
OUTPUT ?=
PORT ?= 8000
PREFIX ?= /usr/local
DESTDIR ?=

BINARY := .build/release/amber
# What the program says to type next is then a make command too.
# In place of the shell: who ends make ends it too.
AMBER := exec env AMBER_CALLER=make $(BINARY)
# One word for the shell, whatever is in it.
quoted = '$(subst ','\'',$(1))'
FOLDER := $(or $(OUTPUT),Output)
# A release links Swift's runtime statically: it starts faster and runs where Swift is not installed.
RELEASE := --configuration release --static-swift-stdlib -Xswiftc -use-ld=lld
# One build of the tests, with warnings as errors: lint, test, judges and soak share it.
TEST_BUILD = $(SWIFT) build --build-tests --quiet -Xswiftc -warnings-as-errors
SWIFT_FILES := Package.swift Sources Tests Fuzz/Package.swift Fuzz/Sources
OPTIONS := $(if $(OUTPUT),--output $(call quoted,$(OUTPUT))) $(if $(API),--api $(call quoted,$(API))) $(if $(CONFIG),--config $(call quoted,$(CONFIG)))

.PHONY: site media test serve watch lint format bench clean check verify snapshot judge-html judges browser-test soak fuzz sanitize build setup install uninstall dist dist-test help

site: build ## build the site into Output/site: SOURCE=auto|live|archive|sample  API=URL  OUTPUT=DIR  CONFIG=FILE
	@$(AMBER) build $(OPTIONS) --source $(SOURCE)

media: build ## build the site of media.json's searches into Output/media: SOURCE=…  API=URL  OUTPUT=DIR  CONFIG=FILE
	@$(AMBER) build --config $(call quoted,$(or $(CONFIG),media.json)) $(if $(OUTPUT),--output $(call quoted,$(OUTPUT)/media)) $(if $(API),--api $(call quoted,$(API))) --source $(SOURCE)

test: setup build ## build and run every test: FILTER=REGEX for some suites  JOBS=N
	$(TEST_BUILD)
	@AMBER_PROGRAM=$(CURDIR)/$(BINARY) Scripts/test $(if $(FILTER),--filter $(call quoted,$(FILTER))) $(if $(JOBS),--jobs $(JOBS))

serve: build ## show the site on http://127.0.0.1:8000: PORT=P  OUTPUT=DIR  CONFIG=FILE
	@$(AMBER) serve $(OPTIONS) --port $(PORT)

watch: build ## the same while templates are changed: what is saved is shown at once: PORT=P  OUTPUT=DIR  API=URL  CONFIG=FILE
	@$(AMBER) serve --watch $(OPTIONS) --port $(PORT)

check: build ## check the pages of the published site
	@$(AMBER) check $(OPTIONS)

verify: build ## check archive, site and snapshots offline, byte for byte: KEY=FILE  CONFIG=FILE
	@$(AMBER) verify $(OPTIONS) $(if $(KEY),--key $(call quoted,$(KEY)))

snapshot: build ## put a revision into a package in Output/snapshots: REVISION=R  KEY=FILE  CONFIG=FILE
	@$(AMBER) snapshot $(OPTIONS) $(if $(REVISION),--revision $(REVISION)) $(if $(KEY),--key $(call quoted,$(KEY)))

lint: setup ## formatting, the greppable laws, warnings as errors
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)
	Scripts/laws
	$(TEST_BUILD)

format: ## format all Swift files in place
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

bench: build ## measure speed and memory beside peers: RUNS=N  SCALE=CHARACTERS  ONLY=GROUP  BEFORE=PROGRAM
	@Scripts/bench --runs $(or $(RUNS),5) --scale $(or $(SCALE),100000) $(addprefix --only ,$(ONLY)) $(if $(BEFORE),--before $(call quoted,$(BEFORE)))

judge-html: build ## let the Nu HTML checker judge every page, as HTML and as XHTML
	@Scripts/judge-html $(call quoted,$(FOLDER)/site)

judges: build ## let bagit, py-wacz, warcio, pywb and openssl judge the packages, and nginx and Caddy serve a site: ONLY=NAME
	@$(TEST_BUILD)
	@SWIFT=$(SWIFT) Scripts/judge-archives $(if $(ONLY),--only $(ONLY))

browser-test: build ## test the site in a real browser; screenshots go to Output/screenshots
	@Scripts/browser-test

soak: build ## kill builds and spoil answers over and over, 300 times each, or for MINUTES=N
	$(TEST_BUILD)
	@AMBER_PROGRAM=$(CURDIR)/$(BINARY) AMBER_SOAK_MINUTES=$(MINUTES) SWIFT=$(SWIFT) Scripts/soak

fuzz: setup ## try every reader with bytes at random: RUNS=N for each target  DURATION=SECONDS instead  TARGETS=NAMES
	@RUNS=$(or $(RUNS),100000) DURATION=$(or $(DURATION),0) SWIFT=$(SWIFT) Scripts/fuzz $(TARGETS)

sanitize: setup ## run every test under ThreadSanitizer and AddressSanitizer
	@SWIFT=$(SWIFT) Scripts/sanitize

clean: ## remove the site and all that was built; the archive stays
	rm -rf .build Output/screenshots dist
	cd $(call quoted,$(FOLDER)) 2>/dev/null && rm -rf site .amber cards media/site media/.amber || true

install: build ## install program, templates, manual page and completions: PREFIX=/usr/local  DESTDIR=DIR
	@BINARY=$(BINARY) PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) Scripts/install install

uninstall: ## remove exactly what make install installed: PREFIX=/usr/local  DESTDIR=DIR
	@PREFIX=$(call quoted,$(PREFIX)) DESTDIR=$(call quoted,$(DESTDIR)) Scripts/install uninstall

dist: build ## make a package for Debian 12 in dist/: the same bytes from the same commit
	@BINARY=$(BINARY) Scripts/dist

dist-test: dist ## install that package on a bare Debian made by debootstrap, and build a site there; as root
	@Scripts/dist-test

build: setup ## build the program alone: .build/release/amber
	@[ -e $(BINARY) ] || echo 'Building the program: the first time takes some minutes.' >&2
	@$(SWIFT) build $(RELEASE) --product amber --quiet

setup:
	@Scripts/setup

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)
