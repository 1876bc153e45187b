namespace Cluster.StateStore;

/// <summary>The time and the random numbers that the owner gives to an operation. Valid for the call that it was made
/// for.</summary>
/// <param name="UtcNow">The partition's time: never earlier than any earlier write of the partition.</param>
/// <param name="Seed">A random number, drawn for this run.</param>
public readonly record struct OperationContext(DateTimeOffset UtcNow, int Seed)
{
    /// <summary>Makes a generator from <see cref="Seed"/>; each call starts the same sequence again.</summary>
    public Random CreateRandom() => new(Seed);
}
