/**
 * Settings of servers 10 to 18, recorded from them by scripts/record-catalogs.mjs: name, vartype, context,
 * unit, min_val, max_val, enumvals, boot_val, and the value in use where it differs. ~ is NULL, '' is empty, ␣ a blank,
 * [14-] in front the majors that have the line.
 */
export const settingLines = `
DateStyle string user ~ ~ ~ ~ ISO,␣MDY
IntervalStyle enum user ~ ~ ~ postgres,postgres_verbose,sql_standard,iso_8601 postgres
TimeZone string user ~ ~ ~ ~ GMT UTC
application_name string user ~ ~ ~ ~ ''
[12-]archive_cleanup_command string sighup ~ ~ ~ ~ ''
archive_command string sighup ~ ~ ~ ~ ''
[15-]archive_library string sighup ~ ~ ~ ~ ''
archive_mode enum postmaster ~ ~ ~ always,on,off off
archive_timeout integer sighup s 0 1073741823 ~ 0
authentication_timeout integer sighup s 1 600 ~ 60
autovacuum_analyze_scale_factor real sighup ~ 0 100 ~ 0.1
autovacuum_analyze_threshold integer sighup ~ 0 2147483647 ~ 50
autovacuum_freeze_max_age integer postmaster ~ 100000 2000000000 ~ 200000000
[-17]autovacuum_max_workers integer postmaster ~ 1 262143 ~ 3
[18-]autovacuum_max_workers integer sighup ~ 1 262143 ~ 3
autovacuum_multixact_freeze_max_age integer postmaster ~ 10000 2000000000 ~ 400000000
autovacuum_naptime integer sighup s 1 2147483 ~ 60
[-11]autovacuum_vacuum_cost_delay integer sighup ms -1 100 ~ 20
[12-]autovacuum_vacuum_cost_delay real sighup ms -1 100 ~ 2
autovacuum_vacuum_cost_limit integer sighup ~ -1 10000 ~ -1
[13-]autovacuum_vacuum_insert_scale_factor real sighup ~ 0 100 ~ 0.2
[13-]autovacuum_vacuum_insert_threshold integer sighup ~ -1 2147483647 ~ 1000
[18-]autovacuum_vacuum_max_threshold integer sighup ~ -1 2147483647 ~ 100000000
autovacuum_vacuum_scale_factor real sighup ~ 0 100 ~ 0.2
autovacuum_vacuum_threshold integer sighup ~ 0 2147483647 ~ 50
autovacuum_work_mem integer sighup kB -1 2147483647 ~ -1
[18-]autovacuum_worker_slots integer postmaster ~ 1 262143 ~ 16
backend_flush_after integer user 8kB 0 256 ~ 0
backslash_quote enum user ~ ~ ~ safe_encoding,on,off safe_encoding
[13-]backtrace_functions string superuser ~ ~ ~ ~ ''
bgwriter_delay integer sighup ms 10 10000 ~ 200
bgwriter_flush_after integer sighup 8kB 0 256 ~ 64
bgwriter_lru_maxpages integer sighup ~ 0 1073741823 ~ 100
bgwriter_lru_multiplier real sighup ~ 0 10 ~ 2
block_size integer internal ~ 8192 8192 ~ 8192
bonjour_name string postmaster ~ ~ ~ ~ ''
bytea_output enum user ~ ~ ~ escape,hex hex
[-13]checkpoint_completion_target real sighup ~ 0 1 ~ 0.5
[14-]checkpoint_completion_target real sighup ~ 0 1 ~ 0.9
checkpoint_flush_after integer sighup 8kB 0 256 ~ 32
checkpoint_timeout integer sighup s 30 86400 ~ 300
checkpoint_warning integer sighup s 0 2147483647 ~ 30
[14-]client_connection_check_interval integer user ms 0 2147483647 ~ 0
client_encoding string user ~ ~ ~ ~ SQL_ASCII UTF8
client_min_messages enum user ~ ~ ~ debug5,debug4,debug3,debug2,debug1,log,notice,warning,error notice
cluster_name string postmaster ~ ~ ~ ~ ''
commit_delay integer superuser ~ 0 100000 ~ 0
commit_siblings integer user ~ 0 1000 ~ 5
[17-]commit_timestamp_buffers integer postmaster 8kB 0 131072 ~ 0 32
[14-]compute_query_id enum superuser ~ ~ ~ auto,regress,on,off auto
config_file string postmaster ~ ~ ~ ~ ~ /var/lib/postgresql/data/postgresql.conf
constraint_exclusion enum user ~ ~ ~ partition,on,off partition
cpu_index_tuple_cost real user ~ 0 1.79769e+308 ~ 0.005
cpu_operator_cost real user ~ 0 1.79769e+308 ~ 0.0025
cpu_tuple_cost real user ~ 0 1.79769e+308 ~ 0.01
[16-]createrole_self_grant string user ~ ~ ~ ~ ''
cursor_tuple_fraction real user ~ 0 1 ~ 0.1
data_directory string postmaster ~ ~ ~ ~ ~ /var/lib/postgresql/data
[11-]data_directory_mode integer internal ~ 0 511 ~ 448
deadlock_timeout integer superuser ms 1 2147483647 ~ 1000
[14-]debug_discard_caches integer superuser ~ 0 0 ~ 0
[16-]debug_io_direct string postmaster ~ ~ ~ ~ ''
[16-]debug_logical_replication_streaming enum user ~ ~ ~ buffered,immediate buffered
[16-]debug_parallel_query enum user ~ ~ ~ off,on,regress off
default_statistics_target integer user ~ 1 10000 ~ 100
[12-]default_table_access_method string user ~ ~ ~ ~ heap
default_tablespace string user ~ ~ ~ ~ ''
default_text_search_config string user ~ ~ ~ ~ pg_catalog.simple pg_catalog.english
[14-]default_toast_compression enum user ~ ~ ~ pglz pglz
default_transaction_isolation enum user ~ ~ ~ serializable,repeatable␣read,read␣committed,read␣uncommitted read␣committed
dynamic_library_path string superuser ~ ~ ~ ~ $libdir
[12-]dynamic_shared_memory_type enum postmaster ~ ~ ~ posix,sysv,mmap posix
[-11]dynamic_shared_memory_type enum postmaster ~ ~ ~ posix,sysv,mmap,none posix
effective_cache_size integer user 8kB 1 2147483647 ~ 524288
[-17]effective_io_concurrency integer user ~ 0 1000 ~ 1
[18-]effective_io_concurrency integer user ~ 0 1000 ~ 16
event_source string postmaster ~ ~ ~ ~ PostgreSQL
[18-]extension_control_path string superuser ~ ~ ~ ~ $system
external_pid_file string postmaster
[-11]extra_float_digits integer user ~ -15 3 ~ 0
[12-]extra_float_digits integer user ~ -15 3 ~ 1
[18-]file_copy_method enum user ~ ~ ~ copy,clone copy
[16-]file_extend_method enum sighup ~ ~ ~ posix_fallocate,write_zeros posix_fallocate
[-15]force_parallel_mode enum user ~ ~ ~ off,on,regress off
from_collapse_limit integer user ~ 1 2147483647 ~ 8
geqo_effort integer user ~ 1 10 ~ 5
geqo_generations integer user ~ 0 2147483647 ~ 0
geqo_pool_size integer user ~ 0 2147483647 ~ 0
geqo_seed real user ~ 0 1 ~ 0
geqo_selection_bias real user ~ 1.5 2 ~ 2
geqo_threshold integer user ~ 2 2147483647 ~ 12
gin_fuzzy_search_limit integer user ~ 0 2147483647 ~ 0
gin_pending_list_limit integer user kB 64 2147483647 ~ 4096
[13-14]hash_mem_multiplier real user ~ 1 1000 ~ 1
[15-]hash_mem_multiplier real user ~ 1 1000 ~ 2
hba_file string postmaster ~ ~ ~ ~ ~ /var/lib/postgresql/data/pg_hba.conf
[14-]huge_page_size integer postmaster kB 0 2147483647 ~ 0
huge_pages enum postmaster ~ ~ ~ off,on,try try
[17-]huge_pages_status enum internal ~ ~ ~ off,on,unknown unknown off
[16-]icu_validation_level enum user ~ ~ ~ disabled,debug5,debug4,debug3,debug2,debug1,log,notice,warning,error warning
ident_file string postmaster ~ ~ ~ ~ ~ /var/lib/postgresql/data/pg_ident.conf
idle_in_transaction_session_timeout integer user ms 0 2147483647 ~ 0
[18-]idle_replication_slot_timeout integer sighup s 0 2147483647 ~ 0
[14-]idle_session_timeout integer user ms 0 2147483647 ~ 0
[18-]io_combine_limit integer user 8kB 1 128 ~ 16
[17-17]io_combine_limit integer user 8kB 1 32 ~ 16
[18-]io_max_combine_limit integer postmaster 8kB 1 128 ~ 16
[18-]io_max_concurrency integer postmaster ~ -1 1024 ~ -1 64
[18-]io_method enum postmaster ~ ~ ~ sync,worker worker
[18-]io_workers integer sighup ~ 1 32 ~ 3
[11-]jit_above_cost real user ~ -1 1.79769e+308 ~ 100000
[11-]jit_inline_above_cost real user ~ -1 1.79769e+308 ~ 500000
[11-]jit_optimize_above_cost real user ~ -1 1.79769e+308 ~ 500000
[11-]jit_provider string postmaster ~ ~ ~ ~ llvmjit
join_collapse_limit integer user ~ 1 2147483647 ~ 8
krb_server_keyfile string sighup ~ ~ ~ ~ ~ FILE:/usr/local/pgsql/etc/krb5.keytab
[-15]lc_collate string internal ~ ~ ~ ~ C
[-15]lc_ctype string internal ~ ~ ~ ~ C
lc_messages string superuser ~ ~ ~ ~ '' C
lc_monetary string user ~ ~ ~ ~ C
lc_numeric string user ~ ~ ~ ~ C
lc_time string user ~ ~ ~ ~ C
listen_addresses string postmaster ~ ~ ~ ~ localhost
local_preload_libraries string user ~ ~ ~ ~ ''
lock_timeout integer user ms 0 2147483647 ~ 0
[-14]log_autovacuum_min_duration integer sighup ms -1 2147483647 ~ -1
[15-]log_autovacuum_min_duration integer sighup ms -1 2147483647 ~ 600000
[18-]log_connections string superuser-backend ~ ~ ~ ~ ''
log_destination string sighup ~ ~ ~ ~ stderr
log_directory string sighup ~ ~ ~ ~ log
log_error_verbosity enum superuser ~ ~ ~ terse,default,verbose default
log_file_mode integer sighup ~ 0 511 ~ 384
log_filename string sighup ~ ~ ~ ~ postgresql-%Y-%m-%d_%H%M%S.log
log_line_prefix string sighup ~ ~ ~ ~ %m␣[%p]␣
[13-]log_min_duration_sample integer superuser ms -1 2147483647 ~ -1
log_min_duration_statement integer superuser ms -1 2147483647 ~ -1
log_min_error_statement enum superuser ~ ~ ~ debug5,debug4,debug3,debug2,debug1,info,notice,warning,error,log,fatal,panic error
log_min_messages enum superuser ~ ~ ~ debug5,debug4,debug3,debug2,debug1,info,notice,warning,error,log,fatal,panic warning
[13-]log_parameter_max_length integer superuser B -1 1073741823 ~ -1
[13-]log_parameter_max_length_on_error integer user B -1 1073741823 ~ 0
log_rotation_age integer sighup min 0 35791394 ~ 1440
[-17]log_rotation_size integer sighup kB 0 2097151 ~ 10240
[18-]log_rotation_size integer sighup kB 0 2147483647 ~ 10240
[15-]log_startup_progress_interval integer sighup ms 0 2147483647 ~ 10000
log_statement enum superuser ~ ~ ~ none,ddl,mod,all none
[13-]log_statement_sample_rate real superuser ~ 0 1 ~ 1
log_temp_files integer superuser kB -1 2147483647 ~ -1
log_timezone string sighup ~ ~ ~ ~ GMT UTC
[12-]log_transaction_sample_rate real superuser ~ 0 1 ~ 0
[13-]logical_decoding_work_mem integer user kB 64 2147483647 ~ 65536
[13-17]maintenance_io_concurrency integer user ~ 0 1000 ~ 10
[18-]maintenance_io_concurrency integer user ~ 0 1000 ~ 16
[-16]maintenance_work_mem integer user kB 1024 2147483647 ~ 65536
[17-]maintenance_work_mem integer user kB 64 2147483647 ~ 65536
[18-]max_active_replication_origins integer postmaster ~ 0 262143 ~ 10
max_connections integer postmaster ~ 1 262143 ~ 100
[-12]max_files_per_process integer postmaster ~ 25 2147483647 ~ 1000
[13-]max_files_per_process integer postmaster ~ 64 2147483647 ~ 1000
max_function_args integer internal ~ 100 100 ~ 100
max_identifier_length integer internal ~ 63 63 ~ 63
max_index_keys integer internal ~ 32 32 ~ 32
max_locks_per_transaction integer postmaster ~ 10 2147483647 ~ 64
max_logical_replication_workers integer postmaster ~ 0 262143 ~ 4
[17-]max_notify_queue_pages integer postmaster ~ 64 2147483647 ~ 1048576
[16-]max_parallel_apply_workers_per_subscription integer sighup ~ 0 1024 ~ 2
[11-]max_parallel_maintenance_workers integer user ~ 0 1024 ~ 2
max_parallel_workers integer user ~ 0 1024 ~ 8
max_parallel_workers_per_gather integer user ~ 0 1024 ~ 2
max_pred_locks_per_page integer sighup ~ 0 2147483647 ~ 2
max_pred_locks_per_relation integer sighup ~ -2147483648 2147483647 ~ -2
max_pred_locks_per_transaction integer postmaster ~ 10 2147483647 ~ 64
max_prepared_transactions integer postmaster ~ 0 262143 ~ 0
max_replication_slots integer postmaster ~ 0 262143 ~ 10
[13-]max_slot_wal_keep_size integer sighup MB -1 2147483647 ~ -1
max_stack_depth integer superuser kB 100 2147483647 ~ 100 2048
max_standby_archive_delay integer sighup ms -1 2147483647 ~ 30000
max_standby_streaming_delay integer sighup ms -1 2147483647 ~ 30000
max_sync_workers_per_subscription integer sighup ~ 0 262143 ~ 2
max_wal_senders integer postmaster ~ 0 262143 ~ 10
max_wal_size integer sighup MB 2 2147483647 ~ 1024
max_worker_processes integer postmaster ~ 0 262143 ~ 8
[14-]min_dynamic_shared_memory integer postmaster MB 0 2147483647 ~ 0
min_parallel_index_scan_size integer user 8kB 0 715827882 ~ 64
min_parallel_table_scan_size integer user 8kB 0 715827882 ~ 1024
min_wal_size integer sighup MB 2 2147483647 ~ 80
[17-]multixact_member_buffers integer postmaster 8kB 16 131072 ~ 32
[17-]multixact_offset_buffers integer postmaster 8kB 16 131072 ~ 16
[17-]notify_buffers integer postmaster 8kB 16 131072 ~ 16
[18-]num_os_semaphores integer internal ~ 0 2147483647 ~ 0 174
[18-]oauth_validator_libraries string sighup ~ ~ ~ ~ ''
[-16]old_snapshot_threshold integer postmaster min -1 86400 ~ -1
parallel_setup_cost real user ~ 0 1.79769e+308 ~ 1000
parallel_tuple_cost real user ~ 0 1.79769e+308 ~ 0.1
[-13]password_encryption enum user ~ ~ ~ md5,scram-sha-256 md5
[14-]password_encryption enum user ~ ~ ~ md5,scram-sha-256 scram-sha-256
[12-]plan_cache_mode enum user ~ ~ ~ auto,force_generic_plan,force_custom_plan auto
port integer postmaster ~ 1 65535 ~ 5432
post_auth_delay integer backend s 0 2147 ~ 0
pre_auth_delay integer sighup s 0 60 ~ 0
[12-12]primary_conninfo string postmaster ~ ~ ~ ~ ''
[13-]primary_conninfo string sighup ~ ~ ~ ~ ''
[12-12]primary_slot_name string postmaster ~ ~ ~ ~ ''
[13-]primary_slot_name string sighup ~ ~ ~ ~ ''
[12-15]promote_trigger_file string sighup ~ ~ ~ ~ ''
random_page_cost real user ~ 0 1.79769e+308 ~ 4
[12-]recovery_end_command string sighup ~ ~ ~ ~ ''
[14-]recovery_init_sync_method enum sighup ~ ~ ~ fsync,syncfs fsync
[12-]recovery_min_apply_delay integer sighup ms 0 2147483647 ~ 0
[15-]recovery_prefetch enum sighup ~ ~ ~ off,on,try try
[12-]recovery_target string postmaster ~ ~ ~ ~ ''
[12-]recovery_target_action enum postmaster ~ ~ ~ pause,promote,shutdown pause
[12-]recovery_target_lsn string postmaster ~ ~ ~ ~ ''
[12-]recovery_target_name string postmaster ~ ~ ~ ~ ''
[12-]recovery_target_time string postmaster ~ ~ ~ ~ ''
[12-]recovery_target_timeline string postmaster ~ ~ ~ ~ latest
[12-]recovery_target_xid string postmaster ~ ~ ~ ~ ''
[15-]recursive_worktable_factor real user ~ 0.001 1e+06 ~ 10
[-10]replacement_sort_tuples integer user ~ 0 2147483647 ~ 150000
[16-]reserved_connections integer postmaster ~ 0 262143 ~ 0
[12-13]restore_command string postmaster ~ ~ ~ ~ ''
[14-]restore_command string sighup ~ ~ ~ ~ ''
[12-]restrict_nonsystem_relation_kind string user ~ ~ ~ ~ ''
[16-]scram_iterations integer user ~ 1 2147483647 ~ 4096
search_path string user ~ ~ ~ ~ "$user",␣public
segment_size integer internal 8kB 131072 131072 ~ 131072
seq_page_cost real user ~ 0 1.79769e+308 ~ 1
[17-]serializable_buffers integer postmaster 8kB 16 131072 ~ 32
server_encoding string internal ~ ~ ~ ~ SQL_ASCII UTF8
server_version string internal
[-10]server_version_num integer internal ~ 100023 100023
[11-11]server_version_num integer internal ~ 110022 110022
[12-12]server_version_num integer internal ~ 120022 120022
[13-13]server_version_num integer internal ~ 130023 130023
[14-14]server_version_num integer internal ~ 140023 140023
[15-15]server_version_num integer internal ~ 150018 150018
[16-16]server_version_num integer internal ~ 160014 160014
[17-17]server_version_num integer internal ~ 170010 170010
[18-]server_version_num integer internal ~ 180004 180004
session_preload_libraries string superuser ~ ~ ~ ~ ''
session_replication_role enum superuser ~ ~ ~ origin,replica,local origin
[-14]shared_buffers integer postmaster 8kB 16 1073741823 ~ 1024 16384
[15-]shared_buffers integer postmaster 8kB 16 1073741823 ~ 16384
[15-17]shared_memory_size integer internal MB 0 2147483647 ~ 0 143
[18-]shared_memory_size integer internal MB 0 2147483647 ~ 0 150
[15-17]shared_memory_size_in_huge_pages integer internal ~ -1 2147483647 ~ -1 72
[18-]shared_memory_size_in_huge_pages integer internal ~ -1 2147483647 ~ -1 75
[12-]shared_memory_type enum postmaster ~ ~ ~ sysv,mmap mmap
shared_preload_libraries string postmaster ~ ~ ~ ~ ''
ssl_ca_file string sighup ~ ~ ~ ~ ''
ssl_cert_file string sighup ~ ~ ~ ~ server.crt
ssl_ciphers string sighup ~ ~ ~ ~ HIGH:MEDIUM:+3DES:!aNULL
[14-]ssl_crl_dir string sighup ~ ~ ~ ~ ''
ssl_crl_file string sighup ~ ~ ~ ~ ''
ssl_dh_params_file string sighup ~ ~ ~ ~ ''
[-17]ssl_ecdh_curve string sighup ~ ~ ~ ~ prime256v1
[18-]ssl_groups string sighup ~ ~ ~ ~ X25519:prime256v1
ssl_key_file string sighup ~ ~ ~ ~ server.key
[12-]ssl_library string internal ~ ~ ~ ~ OpenSSL
[12-]ssl_max_protocol_version enum sighup ~ ~ ~ ,TLSv1,TLSv1.1,TLSv1.2,TLSv1.3 ''
[12-12]ssl_min_protocol_version enum sighup ~ ~ ~ TLSv1,TLSv1.1,TLSv1.2,TLSv1.3 TLSv1
[13-]ssl_min_protocol_version enum sighup ~ ~ ~ TLSv1,TLSv1.1,TLSv1.2,TLSv1.3 TLSv1.2
[11-]ssl_passphrase_command string sighup ~ ~ ~ ~ ''
[18-]ssl_tls13_ciphers string sighup ~ ~ ~ ~ ''
statement_timeout integer user ms 0 2147483647 ~ 0
[15-]stats_fetch_consistency enum user ~ ~ ~ none,cache,snapshot cache
[-14]stats_temp_directory string sighup ~ ~ ~ ~ pg_stat_tmp
[17-]subtransaction_buffers integer postmaster 8kB 0 131072 ~ 0 32
superuser_reserved_connections integer postmaster ~ 0 262143 ~ 3
[17-]synchronized_standby_slots string sighup ~ ~ ~ ~ ''
synchronous_commit enum user ~ ~ ~ local,remote_write,remote_apply,on,off on
synchronous_standby_names string sighup ~ ~ ~ ~ ''
syslog_facility enum sighup ~ ~ ~ local0,local1,local2,local3,local4,local5,local6,local7 local0
syslog_ident string sighup ~ ~ ~ ~ postgres
tcp_keepalives_count integer user ~ 0 2147483647 ~ 0
tcp_keepalives_idle integer user s 0 2147483647 ~ 0
tcp_keepalives_interval integer user s 0 2147483647 ~ 0
[12-]tcp_user_timeout integer user ms 0 2147483647 ~ 0
temp_buffers integer user 8kB 100 1073741823 ~ 1024
temp_file_limit integer superuser kB -1 2147483647 ~ -1
temp_tablespaces string user ~ ~ ~ ~ ''
timezone_abbreviations string user ~ ~ ~ ~ ~ Default
[-16]trace_recovery_messages enum sighup ~ ~ ~ debug5,debug4,debug3,debug2,debug1,log,notice,warning,error log
[11-12]track_activity_query_size integer postmaster B 100 102400 ~ 1024
[13-]track_activity_query_size integer postmaster B 100 1048576 ~ 1024
[-10]track_activity_query_size integer postmaster ~ 100 102400 ~ 1024
track_functions enum superuser ~ ~ ~ none,pl,all none
[17-]transaction_buffers integer postmaster 8kB 0 131072 ~ 0 32
[12-]transaction_isolation enum user ~ ~ ~ serializable,repeatable␣read,read␣committed,read␣uncommitted read␣committed
[-11]transaction_isolation string user ~ ~ ~ ~ default
[17-]transaction_timeout integer user ms 0 2147483647 ~ 0
unix_socket_directories string postmaster ~ ~ ~ ~ /tmp
unix_socket_group string postmaster ~ ~ ~ ~ ''
unix_socket_permissions integer postmaster ~ 0 511 ~ 511
[17-]vacuum_buffer_usage_limit integer user kB 0 16777216 ~ 2048
[16-16]vacuum_buffer_usage_limit integer user kB 0 16777216 ~ 256
[11-13]vacuum_cleanup_index_scale_factor real user ~ 0 1e+10 ~ 0.1
[-11]vacuum_cost_delay integer user ms 0 100 ~ 0
[12-]vacuum_cost_delay real user ms 0 100 ~ 0
vacuum_cost_limit integer user ~ 1 10000 ~ 200
vacuum_cost_page_dirty integer user ~ 0 10000 ~ 20
vacuum_cost_page_hit integer user ~ 0 10000 ~ 1
[-13]vacuum_cost_page_miss integer user ~ 0 10000 ~ 10
[14-]vacuum_cost_page_miss integer user ~ 0 10000 ~ 2
[-15]vacuum_defer_cleanup_age integer sighup ~ 0 1000000 ~ 0
[14-]vacuum_failsafe_age integer user ~ 0 2100000000 ~ 1600000000
vacuum_freeze_min_age integer user ~ 0 1000000000 ~ 50000000
vacuum_freeze_table_age integer user ~ 0 2000000000 ~ 150000000
[18-]vacuum_max_eager_freeze_failure_rate real user ~ 0 1 ~ 0.03
[14-]vacuum_multixact_failsafe_age integer user ~ 0 2100000000 ~ 1600000000
vacuum_multixact_freeze_min_age integer user ~ 0 1000000000 ~ 5000000
vacuum_multixact_freeze_table_age integer user ~ 0 2000000000 ~ 150000000
wal_block_size integer internal ~ 8192 8192 ~ 8192
wal_buffers integer postmaster 8kB -1 262143 ~ -1 512
[15-]wal_compression enum superuser ~ ~ ~ pglz,on,off off
wal_consistency_checking string superuser ~ ~ ~ ~ ''
[15-]wal_decode_buffer_size integer postmaster B 65536 1073741823 ~ 524288
[-12]wal_keep_segments integer sighup ~ 0 2147483647 ~ 0
[13-]wal_keep_size integer sighup MB 0 2147483647 ~ 0
wal_level enum postmaster ~ ~ ~ minimal,replica,logical replica logical
wal_receiver_status_interval integer sighup s 0 2147483 ~ 10
wal_receiver_timeout integer sighup ms 0 2147483647 ~ 60000
wal_retrieve_retry_interval integer sighup ms 1 2147483647 ~ 5000
[-10]wal_segment_size integer internal 8kB 2048 2048 ~ 2048
[11-]wal_segment_size integer internal B 1048576 1073741824 ~ 16777216
[-11]wal_sender_timeout integer sighup ms 0 2147483647 ~ 60000
[12-]wal_sender_timeout integer user ms 0 2147483647 ~ 60000
[13-]wal_skip_threshold integer user kB 0 2147483647 ~ 2048
[17-]wal_summary_keep_time integer sighup min 0 35791394 ~ 14400
wal_sync_method enum sighup ~ ~ ~ fsync,fdatasync,open_sync,open_datasync fdatasync
wal_writer_delay integer sighup ms 1 10000 ~ 200
wal_writer_flush_after integer sighup 8kB 0 2147483647 ~ 128
work_mem integer user kB 64 2147483647 ~ 4096
xmlbinary enum user ~ ~ ~ base64,hex base64
xmloption enum user ~ ~ ~ content,document content
`;
