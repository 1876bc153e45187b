using Cluster.Pile.Context;

namespace Cluster.Pile.Snapshots;

/// <summary>A pile as persistence uses it: its owner creates it, and a restore fills it.</summary>
internal interface IPersistedPile : IDisposable
{
    /// <summary>The parts that are saved and restored.</summary>
    PileContext Context { get; }
}
