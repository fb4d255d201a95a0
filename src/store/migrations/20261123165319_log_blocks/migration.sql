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
