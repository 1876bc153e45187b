namespace Cluster.Pile.Persistence;

/// <summary>A pile as persistence sees it: made by its owner, filled from a snapshot.</summary>
internal interface IPersistedPile : IDisposable
{
    /// <summary>What is saved and restored.</summary>
    PileInterior Interior { get; }
}
