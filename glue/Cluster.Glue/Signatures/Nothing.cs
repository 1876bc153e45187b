namespace Cluster.Glue.Signatures;

/// <summary>Stands for the result of methods that have none, so that call types need no second form. Has no
/// state.</summary>
internal readonly struct Nothing;
