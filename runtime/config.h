/* config.h - what the environment asks for.
   SPDX-License-Identifier: MIT */
#ifndef REGMON_CONFIG_H
#define REGMON_CONFIG_H

/* Reads the variables into regmon_state.config.  ENVIRONMENT may be NULL: then everything is as
 * usual. */
void config_read(char **environment);

/* Reads GMON_OUT_PREFIX again, since programs set it while they run.  Not in a signal handler. */
void config_read_prefix(char **environment);

/* Says which variables have a value that cannot be used. */
void config_complain(char **environment);

#endif
