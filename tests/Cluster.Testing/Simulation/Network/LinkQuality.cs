namespace Cluster.Testing.Simulation.Network;

/// <summary>What a link does to its messages. Immutable. Chances are in parts of a million.</summary>
public sealed record LinkQuality
{
    /// <summary>A good local network: 50 to 250 microseconds, one message in a thousand up to 5 ms, no losses.</summary>
    public static LinkQuality Lan { get; } = new();

    /// <summary>The shortest delay.</summary>
    public TimeSpan DelayMin { get; init; } = TimeSpan.FromMicroseconds(50);

    /// <summary>The longest usual delay.</summary>
    public TimeSpan DelayMax { get; init; } = TimeSpan.FromMicroseconds(250);

    /// <summary>The chance that a message takes up to twenty times the longest usual delay.</summary>
    public int TailChance { get; init; } = 1_000;

    /// <summary>The chance that a message is lost.</summary>
    public int LossChance { get; init; }

    /// <summary>The chance that a message arrives twice.</summary>
    public int DuplicationChance { get; init; }

    /// <summary>The chance that later messages may overtake a message.</summary>
    public int ReorderingChance { get; init; }
}
