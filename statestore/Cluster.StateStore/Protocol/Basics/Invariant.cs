namespace Cluster.StateStore.Protocol.Basics;

/// <summary>Checks invariants of the protocol, in every build. Stateless.</summary>
internal static class Invariant
{
    /// <summary>Throws if an invariant does not hold.</summary>
    /// <param name="holds">Whether it holds.</param>
    /// <param name="name">Its number in the design, such as I3.</param>
    /// <param name="text">What was expected and what was found.</param>
    /// <exception cref="ProtocolInvariantException">It does not hold.</exception>
    public static void Check(
        [DoesNotReturnIf(false)] bool holds,
        string name,
        [InterpolatedStringHandlerArgument(nameof(holds))] InvariantText text)
    {
        if (!holds)
            throw new ProtocolInvariantException($"{name}: {text.ToString()}");
    }
}
