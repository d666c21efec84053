open OUnit2

let cannot what _ = failwith what
let suite = "shop" >::: [
  "adds" >:: (fun _ -> assert_equal 4 (2 + 2));
  "fails" >:: (fun _ -> assert_equal ~printer:string_of_int ~msg:"price \027[31mwrong\027[0m <&>" 1 2);
  "raises" >:: (fun _ -> failwith "no such unit");
  "skips" >:: (fun _ -> skip_if true "later");
  "declared" >:: (fun _ -> todo "soon");
  "row" >:: (fun _ -> ());
  "row" >:: (fun _ -> assert_failure "row 2");
  "bad before" >:: (fun context -> ignore (bracket (cannot "no database") (fun _ _ -> ()) context));
  "deep" >::: [ "adds" >:: (fun _ -> ()) ];
]

let () = run_test_tt_main suite
