namespace Cluster.Pile.Mapped;

/// <summary>A purge of a mapped pile that is under way until this is disposed, once. Owned by the method that
/// purges.</summary>
internal sealed class PurgeIntent(UpdateIntents intents) : IDisposable
{
    public void Dispose() => intents.EndPurge();
}
