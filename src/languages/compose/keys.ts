/** Keys of the Compose Specification that do not change the order of starts. */
export const TOP = [
  "version",
  "name",
  "services",
  "networks",
  "volumes",
  "configs",
  "secrets",
  "models",
  "include",
];

export const IGNORED =
  `annotations attach build blkio_config cpu_count cpu_percent cpu_shares cpu_period cpu_quota cpu_rt_runtime cpu_rt_period cpus cpuset cap_add cap_drop
  cgroup cgroup_parent command configs container_name credential_spec develop device_cgroup_rules devices dns dns_opt dns_search domainname
  driver_opts entrypoint env_file environment expose external_links extra_hosts gpus group_add hostname image init ipc isolation labels label_file
  logging mac_address mem_limit mem_reservation mem_swappiness memswap_limit models network_mode networks oom_kill_disable oom_score_adj pid pids_limit
  platform ports post_start pre_stop privileged pull_policy read_only runtime secrets security_opt shm_size stdin_open stop_grace_period stop_signal
  storage_opt sysctls tmpfs tty ulimits use_api_socket user userns_mode uts volumes volumes_from working_dir`.split(
    /\s+/,
  );
