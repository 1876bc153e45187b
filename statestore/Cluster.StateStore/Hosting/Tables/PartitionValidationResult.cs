namespace Cluster.StateStore.Hosting.Tables;

/// <summary>The judgement on one partition's change: which transition it is, or why it is none.</summary>
/// <param name="Change">The transition; <see cref="PartitionChange.None"/> when illegal.</param>
/// <param name="Violation">Why the change is illegal, or null when it is legal.</param>
public readonly record struct PartitionValidationResult(PartitionChange Change, string? Violation)
{
    /// <summary>Whether the change is one of the legal transitions.</summary>
    public bool IsLegal => Violation is null;

    internal static PartitionValidationResult Legal(PartitionChange change) => new(change, null);

    internal static PartitionValidationResult Illegal(string violation) => new(PartitionChange.None, violation);
}
