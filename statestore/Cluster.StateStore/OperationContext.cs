namespace Cluster.StateStore;

/// <summary>What the owner tells an operation about its surroundings. Valid for the one call it was made for.</summary>
/// <param name="UtcNow">The partition's time: never earlier than any earlier write of the partition.</param>
/// <param name="Seed">A random number, drawn for this run.</param>
public readonly record struct OperationContext(DateTimeOffset UtcNow, int Seed)
{
    /// <summary>Makes a generator from <see cref="Seed"/>; each call starts the same sequence again.</summary>
    public Random CreateRandom() => new(Seed);
}
