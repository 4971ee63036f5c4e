# Everything a newcomer needs. Maven does the work; this file finds it a JDK and keeps the words short.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

MVN ?= mvn
MAVEN := $(MVN) -B -ntp
JDK := $(shell sh src/main/dist/bin/find-jdk)
export JAVA_HOME := $(JDK)

# bin/once and what it runs are there when this file is, and are as new as it is.
BUILT := target/once.built
SOURCES := $(shell find pom.xml schemas src/main -type f)

.PHONY: help demo up test simulate chaos bench jmh build format docs topology-docs clean jdk

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 14

demo: $(BUILT) ## 500 contracts, two kills, one ending each; under 3 minutes (KEEP=1 leaves it up)
	@bin/once demo $(if $(filter-out 0,$(KEEP)),--keep)

up: $(BUILT) ## the whole stack on this machine, until Ctrl-C; prints the addresses
	@bin/once up

test: | jdk ## format check, unit tests and integration tests on a real broker, worker and database
	$(MAVEN) spotless:check verify

simulate: | jdk ## the protocol against an adversary, in virtual time (STEPS=10000000 SEED=1)
	$(MAVEN) -q test -Dtest=SimulationTest -Dsim.steps=$(or $(STEPS),10000000) -Dsim.seed=$(or $(SEED),1)

chaos: $(BUILT) ## break a whole system at random and judge what is left (DURATION=60 seconds, SEED=N)
	@bin/once chaos --duration $(or $(DURATION),60) $(if $(SEED),--seed $(SEED))

bench: $(BUILT) ## how fast it is here, against what was aimed at (FULL=1 for all of it, ONLY=B1,B2)
	@bin/once bench --commit $(or $(shell git describe --always --dirty --abbrev=12 2>/dev/null),unknown) $(if $(filter-out 0,$(FULL)),--full) $(if $(ONLY),--only $(ONLY)) $(if $(TRACE),--trace $(TRACE))

jmh: | jdk ## the pieces of core and schema every request goes through, one by one; about three minutes
	@$(MAVEN) -q -Pjmh process-test-classes
	@$(JDK)/bin/java -cp target/jmh-classes:target/classes:$$(cat target/jmh-classpath.txt) io.hellogpt.once.bench.Jmh target/bench

build: $(BUILT) ## bin/once, the jar and the connector's archive, without tests

format: | jdk ## put every Java file into the house format
	$(MAVEN) -q spotless:apply

docs: $(BUILT) ## write the reference pages of topology-docs/ anew from the settings in the code
	@bin/once config reference > topology-docs/configuration.md
	@bin/once config reference --connector > topology-docs/connector.md

topology-docs: $(BUILT) ## write the other generated pages of topology-docs anew: topology, states, topics, paths
	@bin/once docs topology-docs

clean: ## remove everything that was built
	rm -rf target bin

$(BUILT): $(SOURCES) | jdk
	@echo "Building bin/once (the first time Maven fetches the libraries; that takes a few minutes) ..."
	@$(MAVEN) -q -Dmaven.test.skip=true package
	@touch $@

jdk:
ifeq ($(JDK),)
	@echo "No JDK of version 21 or newer found: install one (apt install openjdk-21-jdk, brew install openjdk or sdk install java), or set JAVA_HOME to it." >&2
	@exit 1
endif
