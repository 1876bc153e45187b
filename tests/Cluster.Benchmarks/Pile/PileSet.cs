using Cluster.Pile;

namespace Cluster.Benchmarks.Pile;

/// <summary>A pile with equal objects in it and their pointers; owned by one row.</summary>
internal sealed class PileSet : IDisposable
{
    private const long SlackBytes = 128L << 20;

    public PileSet(long count, int size, int spareFactor = 1, long snapshotLogBytes = 0)
    {
        Pile = new LocalPile(new PileOptions
        {
            BudgetBytes = (count * spareFactor * (size + 24)) + SlackBytes,
            ReserveBytes = long.MaxValue / 2,
            SnapshotLogBytes = snapshotLogBytes,
        });
        Pointers = new PilePointer[count];
        Payload = new byte[size];
        Fill();
    }

    public LocalPile Pile { get; }

    public PilePointer[] Pointers { get; }

    public byte[] Payload { get; }

    public void Fill()
    {
        for (var i = 0; i < Pointers.Length; i++)
        {
            Payload[i % Payload.Length]++;
            Pointers[i] = Pile.Put(Payload.AsSpan());
        }
    }

    /// <summary>Puts the pointers into random order.</summary>
    public void Shuffle(Random random) => random.Shuffle(Pointers);

    public void Dispose() => Pile.Dispose();
}
