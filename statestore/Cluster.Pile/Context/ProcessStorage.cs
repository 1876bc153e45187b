using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped.Intents;
using Cluster.Pile.Memory;
using Cluster.Pile.Slots;

namespace Cluster.Pile.Context;

/// <summary>Memory of the process, for a pile without a mapped folder. Immutable.</summary>
internal sealed class ProcessStorage(PileOptions options, PileOrigin? origin) : IPileStorage
{
    public PileOrigin Origin { get; } = origin ?? PileOrigin.New(options.GenerationFirst);

    public NativeRange Range { get; } =
        NativeRangePool.Rent(options.MemorySource, new BlockLayout(options.BudgetBytes).RangeBytes);

    public string? BlocksFile => null;

    public UpdateIntents? Intents => null;

    public CatalogFile? Catalog => null;

    public TypeLog? Types => null;

    public void TakeTotals(IReadOnlyList<ThreadCache> caches)
    {
        // Nobody asks for the totals of memory that ends with the process.
    }

    public void Close(bool isAtRest) => NativeRangePool.Return(Range);
}
