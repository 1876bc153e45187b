namespace Cluster.Testing.Faults;

/// <summary>How long a relay holds back a chunk of bytes. The order of the chunks stays. Immutable.</summary>
/// <param name="Shortest">The shortest delay.</param>
/// <param name="Longest">The longest delay.</param>
/// <param name="RepeatedPercent">How many chunks of a hundred take <paramref name="Repeat"/> more: a lost packet is sent
/// again by TCP, so loss is delay.</param>
/// <param name="Repeat">The additional delay of these chunks.</param>
public sealed record RelayDelay(TimeSpan Shortest, TimeSpan Longest, int RepeatedPercent, TimeSpan Repeat)
{
    /// <summary>No delay.</summary>
    public static RelayDelay None { get; } = new(TimeSpan.Zero, TimeSpan.Zero, 0, TimeSpan.Zero);

    internal TimeSpan Draw(Random random)
    {
        if (Longest == TimeSpan.Zero)
            return TimeSpan.Zero;
        var delay = Shortest + ((Longest - Shortest) * random.NextDouble());
        return random.Next(100) < RepeatedPercent ? delay + Repeat : delay;
    }
}
