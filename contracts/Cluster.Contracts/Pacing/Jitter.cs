using System.Security.Cryptography;

namespace Cluster.Contracts.Pacing;

/// <summary>Spreads pauses at random, so that processes which failed together do not come back together. Nothing secret
/// depends on the numbers. Thread-safe: a lock protects the generator.</summary>
/// <param name="seed">The seed of the generator, for runs that must repeat; <c>null</c> (the default) takes a random
/// one.</param>
public sealed class Jitter(int? seed = null)
{
    private readonly Lock _lock = new();
    private readonly Random _random = new(seed ?? RandomNumberGenerator.GetInt32(int.MaxValue));

    /// <summary>Returns a time between half of the given one and the given one.</summary>
    /// <param name="longest">The time to spread.</param>
    public TimeSpan Spread(TimeSpan longest) => longest * (0.5 + (Next() / 2));

    /// <summary>Returns a time between zero and the given one.</summary>
    /// <param name="longest">The time to spread.</param>
    public TimeSpan SpreadFromZero(TimeSpan longest) => longest * Next();

    private double Next()
    {
        lock (_lock)
            return _random.NextDouble();
    }
}
