# A fragment for makefiles: include it, and "make mutation-check" fails on new gaps in the tests.
#
#   WINNOW_FLAGS = --diff origin/main --budget 2m
#   include /usr/local/share/winnow/winnow.mk

WINNOW ?= winnow
WINNOW_FLAGS ?= --top 50 --budget 5m
WINNOW_BASELINE ?= winnow-baseline.json

.PHONY: mutation-check mutation-report mutation-accept
winnow.toml:
	$(WINNOW) init .
mutation-check: winnow.toml
	$(WINNOW) ci . $(WINNOW_FLAGS) $(if $(wildcard $(WINNOW_BASELINE)),--baseline $(WINNOW_BASELINE))
mutation-report: winnow.toml
	$(WINNOW) ci . $(WINNOW_FLAGS) --fail-on none --html winnow.html
mutation-accept: winnow.toml
	$(WINNOW) ci . $(WINNOW_FLAGS) --fail-on none --write-baseline $(WINNOW_BASELINE)
