CREATE TABLE `box_below` (
	`box_id` text PRIMARY KEY,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device` (
	`device_no` integer PRIMARY KEY AUTOINCREMENT,
	`device_id` text NOT NULL UNIQUE,
	`product_id` text NOT NULL,
	`name` text NOT NULL,
	`listed` integer NOT NULL,
	`sealed_access_key` blob,
	`key_issued_at` integer,
	`key_confirmed_at` integer,
	`product_key_until` integer,
	`activation_mid` text,
	`sealed_next_keys` blob,
	`last_address` text,
	`sealed_presented_password` blob,
	`blocked` integer NOT NULL,
	`first_seen_at` integer NOT NULL,
	`forwarded_seq` integer NOT NULL,
	`people_data` text,
	`forwarded_message_seq` integer DEFAULT 0 NOT NULL,
	`forwarded_log_seq` integer DEFAULT 0 NOT NULL,
	`belongs_to` text,
	`belongs_by` text
);
--> statement-breakpoint
CREATE TABLE `product` (
	`product_id` text PRIMARY KEY,
	`name` text NOT NULL,
	`icon` text NOT NULL,
	`introduction` text NOT NULL,
	`model` text NOT NULL,
	`access` text NOT NULL,
	`face_features` integer DEFAULT true NOT NULL,
	`pass_features` integer DEFAULT false NOT NULL,
	`sealed_key` blob NOT NULL,
	`sealed_other_environment_key` blob,
	`new_devices_until` integer,
	`registration` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dropped` (
	`reason` text PRIMARY KEY,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_block` (
	`first_seq` integer PRIMARY KEY,
	`last_seq` integer NOT NULL,
	`received_from` integer NOT NULL,
	`received_to` integer NOT NULL,
	`count` integer NOT NULL,
	`bytes` integer NOT NULL,
	`devices` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `log_block_content` (
	`first_seq` integer PRIMARY KEY,
	`device_counts` blob NOT NULL,
	`sealed_logs` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `projection_cursor` (
	`id` integer PRIMARY KEY,
	`seq` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `report_seen` (
	`device_no` integer NOT NULL,
	`key` text NOT NULL,
	`data_hash` blob NOT NULL,
	`seen_at` integer NOT NULL,
	`is_reused` integer DEFAULT false NOT NULL,
	CONSTRAINT `report_seen_pk` PRIMARY KEY(`device_no`, `key`)
);
--> statement-breakpoint
CREATE TABLE `segment` (
	`first_seq` integer PRIMARY KEY,
	`count` integer NOT NULL,
	`received_from` integer NOT NULL,
	`received_to` integer NOT NULL,
	`channels` integer NOT NULL,
	`devices` blob NOT NULL,
	`sealed_records` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `attendance_caller` (
	`app_key` text PRIMARY KEY,
	`sealed_secret` blob NOT NULL,
	`name` text NOT NULL,
	`used_at` integer,
	`used_from` text,
	`used_for` text
);
--> statement-breakpoint
CREATE TABLE `biometric_record` (
	`ext_id` text NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT `biometric_record_pk` PRIMARY KEY(`ext_id`, `seq`)
);
--> statement-breakpoint
CREATE TABLE `bulk_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`by` text NOT NULL,
	`what` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bulk_change_row` (
	`bulk_id` integer NOT NULL,
	`ext_id` text NOT NULL,
	`before` text NOT NULL,
	`after` text NOT NULL,
	CONSTRAINT `bulk_change_row_pk` PRIMARY KEY(`bulk_id`, `ext_id`)
);
--> statement-breakpoint
CREATE TABLE `department` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text UNIQUE,
	`name` text NOT NULL,
	`parent_id` integer,
	`parent_since` text,
	`cloud_id` text UNIQUE,
	`mirrored` text,
	`missing_since` integer
);
--> statement-breakpoint
CREATE TABLE `employee` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text UNIQUE,
	`name` text NOT NULL,
	`sealed_mobile` blob,
	`employee_num` text NOT NULL,
	`department_id` integer NOT NULL,
	`department_since` text,
	`title` text NOT NULL,
	`cloud_id` text UNIQUE,
	`mirrored` text,
	`missing_since` integer,
	`search_keys` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `employment` (
	`ext_id` text PRIMARY KEY,
	`from_date` text,
	`to_date` text,
	`earlier` text DEFAULT '[]' NOT NULL,
	`off_terminals` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE `erasure` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text NOT NULL,
	`at` integer NOT NULL,
	`through_seq` integer NOT NULL,
	`done_at` integer
);
--> statement-breakpoint
CREATE TABLE `feature` (
	`ext_id` text NOT NULL,
	`feature_type` text NOT NULL,
	`feature_alg` text NOT NULL,
	`sealed_values` blob NOT NULL,
	`device_no` integer,
	`stored_at` integer NOT NULL,
	CONSTRAINT `feature_pk` PRIMARY KEY(`ext_id`, `feature_type`, `feature_alg`)
);
--> statement-breakpoint
CREATE TABLE `feature_failure` (
	`ext_id` text NOT NULL,
	`feature_type` text NOT NULL,
	`device_no` integer NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT `feature_failure_pk` PRIMARY KEY(`ext_id`, `feature_type`, `device_no`)
);
--> statement-breakpoint
CREATE TABLE `former_place` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`kind` text NOT NULL,
	`subject_id` integer NOT NULL,
	`until` text NOT NULL,
	`department_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `gone_department` (
	`id` integer PRIMARY KEY,
	`ext_id` text,
	`name` text NOT NULL,
	`parent_id` integer
);
--> statement-breakpoint
CREATE TABLE `organization_conflict` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`subject` text NOT NULL,
	`cloud_side` text NOT NULL,
	`box_side` text NOT NULL,
	`sealed_sides` blob,
	`fingerprint` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `organization_write` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`caller` text NOT NULL,
	`path` text NOT NULL,
	`command` text NOT NULL,
	`subject` text NOT NULL,
	`sealed_body` blob NOT NULL,
	`refused_at` integer,
	`code` integer,
	`reason` text
);
--> statement-breakpoint
CREATE TABLE `person_alias` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`said_ext_id` text NOT NULL,
	`said_number` text NOT NULL,
	`ext_id` text NOT NULL,
	`at` integer NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `person_alias_checkin` (
	`checkin_id` integer PRIMARY KEY,
	`alias_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `person_change` (
	`change_no` integer PRIMARY KEY,
	`ext_id` text NOT NULL UNIQUE,
	`removed` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `person_sync` (
	`device_no` integer PRIMARY KEY,
	`change_no` integer NOT NULL,
	`last_from_no` integer NOT NULL,
	`last_to_no` integer NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `access_record` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`door_id` text NOT NULL,
	`ext_id` text NOT NULL,
	`employee_id` integer,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`check_result` integer NOT NULL,
	`clock_low_ms` integer,
	`clock_high_ms` integer,
	`sealed_capture_img` blob
);
--> statement-breakpoint
CREATE TABLE `checkin` (
	`id` integer PRIMARY KEY,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`employee_id` integer NOT NULL,
	`terminal_id` text,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`clock_low_ms` integer,
	`clock_high_ms` integer,
	`shown_id` integer
);
--> statement-breakpoint
CREATE TABLE `checkin_unresolved` (
	`id` integer PRIMARY KEY,
	`seq` integer NOT NULL,
	`device_no` integer NOT NULL,
	`received_at` integer NOT NULL,
	`record_id` text NOT NULL,
	`ext_id` text NOT NULL,
	`employee_num` text NOT NULL,
	`check_type` text NOT NULL,
	`check_time_seconds` integer NOT NULL,
	`check_data` text NOT NULL,
	`clock_low_ms` integer,
	`clock_high_ms` integer,
	`shown_id` integer
);
--> statement-breakpoint
CREATE TABLE `counter` (
	`name` text PRIMARY KEY,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_clock` (
	`device_no` integer NOT NULL,
	`begun_at` integer NOT NULL,
	`first_said` integer NOT NULL,
	`last_said` integer NOT NULL,
	`low_ms` integer NOT NULL,
	`low_at` integer NOT NULL,
	`high_ms` integer,
	`high_at` integer NOT NULL,
	`near_count` integer NOT NULL,
	`near_hours` integer NOT NULL,
	`near_last_at` integer NOT NULL,
	`near_gap_min_ms` integer,
	`near_gap_max_ms` integer,
	`is_ended` integer NOT NULL,
	CONSTRAINT `device_clock_pk` PRIMARY KEY(`device_no`, `begun_at`)
);
--> statement-breakpoint
CREATE TABLE `last_seen` (
	`device_no` integer PRIMARY KEY,
	`received_at` integer NOT NULL,
	`malformed_count` integer DEFAULT 0 NOT NULL,
	`malformed_since` integer,
	`malformed_at` integer,
	`malformed_seq` integer,
	`malformed_why` text
);
--> statement-breakpoint
CREATE TABLE `log_day_count` (
	`day` text NOT NULL,
	`device_no` integer NOT NULL,
	`stored` integer NOT NULL,
	CONSTRAINT `log_day_count_pk` PRIMARY KEY(`day`, `device_no`)
);
--> statement-breakpoint
CREATE TABLE `cloud_person` (
	`openid` text PRIMARY KEY,
	`user_name` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `local_user` (
	`name` text PRIMARY KEY,
	`password_hash` text,
	`role` text NOT NULL,
	`headimgurl` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `login_session` (
	`id_hash` text PRIMARY KEY,
	`user_name` text NOT NULL,
	`purpose` text NOT NULL,
	`credential` text NOT NULL,
	`opened_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`address` text NOT NULL,
	`agent` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alert` (
	`id` text PRIMARY KEY,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`severity` text NOT NULL,
	`since` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`announced_at` integer,
	`announced_as` text,
	`over_at` integer,
	`is_done` integer NOT NULL,
	`details` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alert_message` (
	`id` text PRIMARY KEY,
	`channel` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_at` integer NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alert_setting` (
	`key` text PRIMARY KEY,
	`sealed_value` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_chain` (
	`chain` text PRIMARY KEY,
	`begun_at` integer NOT NULL,
	`begin_id` integer NOT NULL,
	`begin_hash` text NOT NULL,
	`head_id` integer NOT NULL,
	`head_hash` text NOT NULL,
	`removed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `audit_entry` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`role` text NOT NULL,
	`address` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`said` text,
	`outcome` text NOT NULL,
	`chain` text NOT NULL,
	`count` integer DEFAULT 1 NOT NULL,
	`last_at` integer,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `backup_copy` (
	`target` text NOT NULL,
	`name` text NOT NULL,
	`made_at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`verified_at` integer,
	`restore_tried_at` integer,
	CONSTRAINT `backup_copy_pk` PRIMARY KEY(`target`, `name`)
);
--> statement-breakpoint
CREATE TABLE `backup_setting` (
	`key` text PRIMARY KEY,
	`sealed_value` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `correction` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`kind` text NOT NULL,
	`reason` text NOT NULL,
	`asked_by` text NOT NULL,
	`asked_at` integer NOT NULL,
	`reverses` integer
);
--> statement-breakpoint
CREATE TABLE `correction_decision` (
	`correction_id` integer PRIMARY KEY,
	`state` text NOT NULL,
	`decided_by` text NOT NULL,
	`decided_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `correction_item` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`correction_id` integer NOT NULL,
	`ext_id` text NOT NULL,
	`at_seconds` integer NOT NULL,
	`checkin_id` integer,
	`work_date` text
);
--> statement-breakpoint
CREATE TABLE `daily_report` (
	`name` text PRIMARY KEY,
	`sealed_settings` blob NOT NULL,
	`since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `daily_report_day` (
	`name` text NOT NULL,
	`day` text NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`why` text NOT NULL,
	`said` text,
	CONSTRAINT `daily_report_day_pk` PRIMARY KEY(`name`, `day`)
);
--> statement-breakpoint
CREATE TABLE `file` (
	`file_id` text PRIMARY KEY,
	`app_id` text NOT NULL,
	`client` text NOT NULL,
	`name` text NOT NULL,
	`content_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`is_public` integer NOT NULL,
	`over_https` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`due_at` integer,
	`cloud_file_id` text,
	`waits` integer NOT NULL,
	`refusal` text
);
--> statement-breakpoint
CREATE TABLE `confirmation` (
	`device_no` integer NOT NULL,
	`up_to_seq` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	`via` text NOT NULL,
	`channels` integer DEFAULT 3 NOT NULL,
	CONSTRAINT `confirmation_pk` PRIMARY KEY(`device_no`, `up_to_seq`)
);
--> statement-breakpoint
CREATE TABLE `parked` (
	`seq` integer PRIMARY KEY,
	`device_no` integer NOT NULL,
	`parked_at` integer NOT NULL,
	`code` integer NOT NULL,
	`reason` text NOT NULL,
	`said` text,
	`send_again` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `batch_cursor` (
	`box_no` integer NOT NULL,
	`epoch` text NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT `batch_cursor_pk` PRIMARY KEY(`box_no`, `epoch`)
);
--> statement-breakpoint
CREATE TABLE `batch_refusal` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`box_no` integer NOT NULL,
	`epoch` text NOT NULL,
	`seq` integer NOT NULL,
	`code` integer NOT NULL,
	`msg` text NOT NULL,
	`said` text
);
--> statement-breakpoint
CREATE TABLE `inbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`device_no` integer NOT NULL,
	`put_at` integer NOT NULL,
	`sealed_message` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `event` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`device_no` integer NOT NULL,
	`kind` text NOT NULL,
	`detail` text NOT NULL,
	`said` text
);
--> statement-breakpoint
CREATE TABLE `refusal` (
	`client_id` text NOT NULL,
	`code` text NOT NULL,
	`door` text NOT NULL,
	`address` text NOT NULL,
	`detail` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	CONSTRAINT `refusal_pk` PRIMARY KEY(`client_id`, `code`)
);
--> statement-breakpoint
CREATE TABLE `oauth_client` (
	`client_id` text PRIMARY KEY,
	`sealed_secret` blob,
	`name` text NOT NULL,
	`logo_url` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`needs_redirect_uri` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_code` (
	`code_hash` text PRIMARY KEY,
	`client_id` text NOT NULL,
	`user_name` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`scope` text NOT NULL,
	`challenge` text,
	`issued_at` integer NOT NULL,
	`grant_id` integer
);
--> statement-breakpoint
CREATE TABLE `oauth_consent` (
	`client_id` text NOT NULL,
	`user_name` text NOT NULL,
	`scope` text NOT NULL,
	`given_at` integer NOT NULL,
	CONSTRAINT `oauth_consent_pk` PRIMARY KEY(`client_id`, `user_name`)
);
--> statement-breakpoint
CREATE TABLE `oauth_grant` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`client_id` text NOT NULL,
	`user_name` text NOT NULL,
	`scope` text NOT NULL,
	`refresh_hash` text NOT NULL UNIQUE,
	`made_at` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_token` (
	`token_hash` text PRIMARY KEY,
	`grant_id` integer NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oauth_used_refresh` (
	`refresh_hash` text PRIMARY KEY,
	`grant_id` integer NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `history_hour` (
	`slot` integer PRIMARY KEY,
	`hour` integer NOT NULL,
	`minutes` integer NOT NULL,
	`waiting` integer,
	`records` integer NOT NULL,
	`waits` blob NOT NULL,
	`free_bytes` integer,
	`temperature_tenths` integer,
	`line_seconds` integer,
	`online` integer NOT NULL,
	`online_minutes` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `history_minute` (
	`slot` integer PRIMARY KEY,
	`minute` integer NOT NULL,
	`waiting` integer,
	`records` integer NOT NULL,
	`waits` blob NOT NULL,
	`free_bytes` integer,
	`temperature_tenths` integer,
	`line_seconds` integer,
	`online` integer NOT NULL,
	`online_devices` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `page_setting` (
	`key` text PRIMARY KEY,
	`sealed_value` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `remembered` (
	`service` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT `remembered_pk` PRIMARY KEY(`service`, `key`)
);
--> statement-breakpoint
CREATE TABLE `message` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`msg_id` text NOT NULL UNIQUE,
	`kind` text NOT NULL,
	`app_id` text NOT NULL,
	`accepted_at` integer NOT NULL,
	`title` text NOT NULL,
	`sealed_content` blob NOT NULL,
	`android_send` integer NOT NULL,
	`ios_send` integer NOT NULL,
	`result` integer NOT NULL,
	`relay` text NOT NULL,
	`attempted_at` integer,
	`cloud_msg_id` text,
	`cloud_android_send` integer NOT NULL,
	`cloud_ios_send` integer NOT NULL,
	`reason` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `message_template` (
	`template` text PRIMARY KEY,
	`title` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cloud_access` (
	`cloud_id` integer PRIMARY KEY,
	`access_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `cloud_checkin` (
	`cloud_id` text PRIMARY KEY,
	`checkin_id` integer,
	`user_id` text,
	`ext_id` text,
	`waiting` text
);
--> statement-breakpoint
CREATE TABLE `mirror_cursor` (
	`list` text PRIMARY KEY,
	`next_id` integer NOT NULL,
	`whole_at` integer
);
--> statement-breakpoint
CREATE TABLE `uncertain_match` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`site_id` integer NOT NULL,
	`cloud_id` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `access_code` (
	`employee_id` integer PRIMARY KEY,
	`fingerprint` text NOT NULL UNIQUE,
	`made_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `month_confirmation` (
	`employee_id` integer NOT NULL,
	`month` text NOT NULL,
	`at` integer NOT NULL,
	`digest` text NOT NULL,
	CONSTRAINT `month_confirmation_pk` PRIMARY KEY(`employee_id`, `month`)
);
--> statement-breakpoint
CREATE TABLE `own_session` (
	`id_hash` text PRIMARY KEY,
	`employee_id` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `period` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`month` text NOT NULL,
	`scope_id` text NOT NULL,
	`scope_name` text NOT NULL,
	`revision` integer NOT NULL,
	`state` text NOT NULL,
	`closed_at` integer NOT NULL,
	`closed_by` text NOT NULL,
	`forced` text,
	`time_zone` text NOT NULL,
	`rules` text NOT NULL,
	`hash` text DEFAULT '' NOT NULL,
	`head` text DEFAULT '' NOT NULL,
	`foot` text DEFAULT '' NOT NULL,
	`reopen_reason` text,
	`reopen_asked_at` integer,
	`reopen_asked_by` text,
	`reopened_at` integer,
	`reopened_by` text,
	`checked_at` integer,
	`checked_of` text,
	`attempt` integer DEFAULT 1 NOT NULL,
	`people_all` integer DEFAULT 0 NOT NULL,
	`people_done` integer DEFAULT 0 NOT NULL,
	`refusal` text
);
--> statement-breakpoint
CREATE TABLE `period_change` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`period_id` integer NOT NULL,
	`kind` text NOT NULL,
	`ext_id` text NOT NULL,
	`name` text NOT NULL,
	`date` text NOT NULL,
	`was` text,
	`now` text,
	`noticed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `period_row` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`period_id` integer NOT NULL,
	`ext_id` text NOT NULL,
	`name` text NOT NULL,
	`employee_num` text NOT NULL,
	`departments` text NOT NULL,
	`packed` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `day_override` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`date` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`what` text NOT NULL,
	`weekday` integer,
	`code` text,
	`reason` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leave` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`ext_id` text NOT NULL,
	`from_time` text NOT NULL,
	`to_time` text NOT NULL,
	`kind` text NOT NULL,
	`paid` integer NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL,
	`decided_at` integer,
	`decided_by` text
);
--> statement-breakpoint
CREATE TABLE `roster_rule` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`cycle` text NOT NULL,
	`anchor` text NOT NULL,
	`from_date` text NOT NULL,
	`to_date` text,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `shift_version` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`code` text NOT NULL,
	`name` text NOT NULL,
	`valid_from` text NOT NULL,
	`plan` text NOT NULL,
	`recorded_at` integer NOT NULL,
	`recorded_by` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_peer` (
	`model` text PRIMARY KEY,
	`service` text NOT NULL,
	`write` text NOT NULL,
	`notify` text NOT NULL,
	`password_form` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device_setup` (
	`device_id` text PRIMARY KEY,
	`model` text NOT NULL,
	`status` integer NOT NULL,
	`error` integer,
	`message` text NOT NULL,
	`mac` text NOT NULL,
	`address` text NOT NULL,
	`mask` text NOT NULL,
	`gateway` text NOT NULL,
	`via` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `network_setup` (
	`id` integer PRIMARY KEY,
	`state` text NOT NULL,
	`changed_at` integer NOT NULL,
	`ssid` text NOT NULL,
	`sealed_hotspot_key` blob,
	`last_status` integer,
	`last_error` integer,
	`last_says` text,
	`last_ssid` text,
	`last_at` integer
);
--> statement-breakpoint
CREATE TABLE `room_sample` (
	`at` integer PRIMARY KEY,
	`room_bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `app` (
	`app_id` text PRIMARY KEY,
	`sealed_key` blob NOT NULL,
	`name` text NOT NULL,
	`used_at` integer,
	`used_from` text,
	`used_for` text
);
--> statement-breakpoint
CREATE TABLE `signed_answer` (
	`app_id` text NOT NULL,
	`timestamp` text NOT NULL,
	`nonce` text NOT NULL,
	`body_hash` text NOT NULL,
	`answer` text NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT `signed_answer_pk` PRIMARY KEY(`app_id`, `timestamp`, `nonce`)
);
--> statement-breakpoint
CREATE TABLE `admin_token` (
	`id` integer PRIMARY KEY AUTOINCREMENT,
	`token_hash` text NOT NULL UNIQUE,
	`name` text NOT NULL,
	`role` text NOT NULL,
	`made_by` text NOT NULL,
	`made_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`used_at` integer,
	`topics` text,
	`actions` text
);
--> statement-breakpoint
CREATE TABLE `app_upgrade` (
	`app_code` text NOT NULL,
	`version` text NOT NULL,
	`record` text NOT NULL,
	CONSTRAINT `app_upgrade_pk` PRIMARY KEY(`app_code`, `version`)
);
--> statement-breakpoint
CREATE TABLE `webhook` (
	`name` text PRIMARY KEY,
	`sealed_settings` blob NOT NULL,
	`paused` integer NOT NULL,
	`made_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_delivery` (
	`name` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`after_seq` integer NOT NULL,
	`through_seq` integer NOT NULL,
	`events` integer NOT NULL,
	`at` integer NOT NULL,
	`attempts` integer NOT NULL,
	`state` text NOT NULL,
	`status` integer,
	`took_ms` integer NOT NULL,
	`why` text NOT NULL,
	`said` text,
	`next_at` integer,
	CONSTRAINT `webhook_delivery_pk` PRIMARY KEY(`name`, `id`)
);
--> statement-breakpoint
CREATE TABLE `webhook_place` (
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`seq` integer NOT NULL,
	CONSTRAINT `webhook_place_pk` PRIMARY KEY(`name`, `kind`)
);
--> statement-breakpoint
CREATE INDEX `report_seen_by_age` ON `report_seen` (`seen_at`);
--> statement-breakpoint
CREATE INDEX `biometric_record_by_seq` ON `biometric_record` (`seq`);
--> statement-breakpoint
CREATE INDEX `bulk_change_row_by_subject` ON `bulk_change_row` (`ext_id`);
--> statement-breakpoint
CREATE INDEX `department_by_parent` ON `department` (`parent_id`);
--> statement-breakpoint
CREATE INDEX `employee_by_number` ON `employee` (`employee_num`);
--> statement-breakpoint
CREATE INDEX `employee_by_department` ON `employee` (`department_id`);
--> statement-breakpoint
CREATE INDEX `employment_by_end` ON `employment` (`to_date`) WHERE off_terminals = 0 AND to_date IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `erasure_by_person` ON `erasure` (`ext_id`,`through_seq`);
--> statement-breakpoint
CREATE UNIQUE INDEX `former_place_by_subject` ON `former_place` (`kind`,`subject_id`,`until`);
--> statement-breakpoint
CREATE INDEX `former_place_by_department` ON `former_place` (`department_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `person_alias_said` ON `person_alias` (`said_ext_id`,`said_number`);
--> statement-breakpoint
CREATE INDEX `person_alias_by_person` ON `person_alias` (`ext_id`);
--> statement-breakpoint
CREATE INDEX `person_alias_checkin_by_alias` ON `person_alias_checkin` (`alias_id`);
--> statement-breakpoint
CREATE INDEX `access_record_by_time` ON `access_record` (`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `access_record_by_person` ON `access_record` (`ext_id`,`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `access_record_passed` ON `access_record` (`id`) WHERE check_result = 0;
--> statement-breakpoint
CREATE INDEX `checkin_by_time` ON `checkin` (`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `checkin_by_person` ON `checkin` (`employee_id`,`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `checkin_shown` ON `checkin` (`shown_id`) WHERE shown_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_by_person` ON `checkin_unresolved` (`ext_id`) WHERE ext_id <> '';
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_by_number` ON `checkin_unresolved` (`employee_num`) WHERE employee_num <> '';
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_by_time` ON `checkin_unresolved` (`check_time_seconds`);
--> statement-breakpoint
CREATE INDEX `checkin_unresolved_shown` ON `checkin_unresolved` (`shown_id`) WHERE shown_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `login_session_by_user` ON `login_session` (`user_name`);
--> statement-breakpoint
CREATE INDEX `alert_by_done` ON `alert` (`is_done`,`opened_at`);
--> statement-breakpoint
CREATE INDEX `audit_entry_by_actor` ON `audit_entry` (`actor`,`id`);
--> statement-breakpoint
CREATE INDEX `audit_entry_by_chain` ON `audit_entry` (`chain`,`id`);
--> statement-breakpoint
CREATE INDEX `correction_by_reversed` ON `correction` (`reverses`) WHERE reverses IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `correction_item_by_correction` ON `correction_item` (`correction_id`);
--> statement-breakpoint
CREATE INDEX `correction_item_by_person` ON `correction_item` (`ext_id`,`at_seconds`);
--> statement-breakpoint
CREATE INDEX `correction_item_by_checkin` ON `correction_item` (`checkin_id`) WHERE checkin_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `file_by_due` ON `file` (`due_at`);
--> statement-breakpoint
CREATE INDEX `file_waiting` ON `file` (`waits`,`stored_at`);
--> statement-breakpoint
CREATE UNIQUE INDEX `batch_refusal_by_seq` ON `batch_refusal` (`box_no`,`epoch`,`seq`);
--> statement-breakpoint
CREATE INDEX `batch_refusal_by_box` ON `batch_refusal` (`box_no`,`id`);
--> statement-breakpoint
CREATE INDEX `inbox_by_device` ON `inbox` (`device_no`,`id`);
--> statement-breakpoint
CREATE INDEX `event_by_device` ON `event` (`device_no`,`id`);
--> statement-breakpoint
CREATE INDEX `refusal_by_age` ON `refusal` (`last_at`);
--> statement-breakpoint
CREATE INDEX `oauth_grant_by_user` ON `oauth_grant` (`user_name`);
--> statement-breakpoint
CREATE INDEX `oauth_token_by_grant` ON `oauth_token` (`grant_id`);
--> statement-breakpoint
CREATE INDEX `oauth_used_refresh_by_grant` ON `oauth_used_refresh` (`grant_id`,`used_at`);
--> statement-breakpoint
CREATE INDEX `message_by_relay` ON `message` (`relay`,`id`);
--> statement-breakpoint
CREATE INDEX `message_by_cloud_id` ON `message` (`cloud_msg_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_access_by_record` ON `cloud_access` (`access_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `cloud_checkin_by_checkin` ON `cloud_checkin` (`checkin_id`) WHERE checkin_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `cloud_checkin_waiting` ON `cloud_checkin` (`ext_id`) WHERE checkin_id IS NULL;
--> statement-breakpoint
CREATE INDEX `own_session_by_employee` ON `own_session` (`employee_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `period_by_month` ON `period` (`month`,`scope_id`,`revision`);
--> statement-breakpoint
CREATE UNIQUE INDEX `period_change_by_day` ON `period_change` (`period_id`,`kind`,`ext_id`,`date`);
--> statement-breakpoint
CREATE INDEX `period_row_by_period` ON `period_row` (`period_id`,`id`);
--> statement-breakpoint
CREATE INDEX `period_row_by_person` ON `period_row` (`ext_id`,`period_id`);
--> statement-breakpoint
CREATE UNIQUE INDEX `day_override_by_date` ON `day_override` (`date`,`target_kind`,`target_id`);
--> statement-breakpoint
CREATE INDEX `leave_by_person` ON `leave` (`ext_id`,`from_time`);
--> statement-breakpoint
CREATE INDEX `leave_by_end` ON `leave` (`to_time`);
--> statement-breakpoint
CREATE UNIQUE INDEX `roster_rule_by_target` ON `roster_rule` (`target_kind`,`target_id`,`from_date`);
--> statement-breakpoint
CREATE INDEX `shift_version_by_code` ON `shift_version` (`code`,`valid_from`,`id`);
--> statement-breakpoint
CREATE INDEX `device_setup_by_at` ON `device_setup` (`at`);
--> statement-breakpoint
CREATE INDEX `signed_answer_by_at` ON `signed_answer` (`at`);
--> statement-breakpoint
CREATE INDEX `webhook_delivery_by_at` ON `webhook_delivery` (`name`,`at`,`id`);
--> statement-breakpoint
INSERT INTO `department` (`ext_id`, `name`) VALUES ('0', '');
--> statement-breakpoint
INSERT INTO `counter` (`name`, `value`) VALUES ('checkin', 0), ('person_change', 0);
