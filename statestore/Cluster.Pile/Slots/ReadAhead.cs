using System.Runtime.CompilerServices;

namespace Cluster.Pile.Slots;

/// <summary>
/// Fetches what a row of reads will need into the processor's cache, some distance ahead of the reads, so that many
/// misses are waited for at once. Only a hint: nothing is checked or kept. Owned by the method that declares it;
/// mutable, do not copy.
/// </summary>
internal ref struct ReadAhead
{
    private const int Distance = 48;

    // Fetched in bursts: a fetch occupies the processor until its address is translated, and only fetches that
    // follow each other closely are translated side by side. One by one took a quarter longer.
    private const int Burst = 16;

    private readonly SlotSpace _space;
    private ReadOnlySpan<PilePointer> _left;
    private int _untilBurst;

    /// <summary>Starts with the first reads of the row.</summary>
    public ReadAhead(SlotSpace space, ReadOnlySpan<PilePointer> pointers)
    {
        _space = space;
        _left = pointers;
        Fetch(Distance);
    }

    /// <summary>To be called once before each read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Step()
    {
        if (--_untilBurst <= 0)
            Fetch(Burst);
    }

    private void Fetch(int count)
    {
        _untilBurst = Burst;
        count = Math.Min(count, _left.Length);
        _space.Prefetch(_left[..count]);
        _left = _left[count..];
    }
}
