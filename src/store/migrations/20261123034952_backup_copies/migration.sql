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
