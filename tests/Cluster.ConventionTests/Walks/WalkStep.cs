namespace Cluster.ConventionTests.Walks;

/// <summary>One line of a walk. Immutable.</summary>
/// <param name="Depth">How far it is indented.</param>
/// <param name="Type">The type with its type parameters, without its namespace.</param>
/// <param name="Member">The member's name; all its overloads are meant.</param>
internal sealed record WalkStep(int Depth, string Type, string Member)
{
    public override string ToString() => $"{Type}.{Member}";
}
