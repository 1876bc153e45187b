namespace Cluster.Pile.Mapped.Intents;

/// <summary>Marks a purge of a mapped pile as under way until it is disposed, once. Owned by the method that
/// purges.</summary>
internal sealed class PurgeIntent(UpdateIntents intents) : IDisposable
{
    public void Dispose() => intents.EndPurge();
}
