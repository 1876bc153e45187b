namespace Cluster.ConventionTests.Walks;

/// <summary>One line of a walk. Immutable.</summary>
/// <param name="Depth">The depth of the indentation.</param>
/// <param name="Type">The type with its type parameters, without its namespace.</param>
/// <param name="Member">The member's name; it stands for all overloads.</param>
internal sealed record WalkStep(int Depth, string Type, string Member)
{
    public override string ToString() => $"{Type}.{Member}";
}
