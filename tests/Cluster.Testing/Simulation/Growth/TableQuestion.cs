namespace Cluster.Testing.Simulation.Growth;

/// <summary>A node asks another one for the changes of the table, or gets the answer. Immutable.</summary>
/// <param name="From">The version that the asking node has.</param>
/// <param name="To">The version that it wants.</param>
/// <param name="IsAnswer">Whether this is the answer.</param>
/// <param name="Bytes">The bytes of the changes; null: the node that was asked cannot tell.</param>
internal sealed record TableQuestion(long From, long To, bool IsAnswer = false, int? Bytes = null)
{
    /// <summary>The bytes of a call with its envelope, without the changes.</summary>
    public const int CallBytes = 80;
}
