using Cluster.Slim.Plans;

namespace Cluster.Slim.Graph;

/// <summary>
/// The hashed and sorted collections of a message, which are filled after the whole graph is there, because the hash
/// of a key may depend on objects read later. They are filled children first, see <see cref="CompletionOrder"/>.
/// Owned by one reader.
/// </summary>
internal sealed class Completions
{
    private const int RetainedCount = 1024;

    private readonly List<PendingContent> _pending = [];
    private readonly List<PendingContent> _checks = [];

    /// <summary>Whether anything waits for the end of the graph.</summary>
    internal bool HasAny => _pending.Count > 0 || _checks.Count > 0;

    internal void Add(ObjectPlan plan, object instance, object content) =>
        _pending.Add(new PendingContent(plan, instance, content));

    /// <summary>
    /// Fills the collections that the content reaches, because something that cannot wait is about to be built from
    /// it. They are filled again at the end, when more may be known.
    /// </summary>
    internal void RunReached(SlimReader reader, object content)
    {
        if (_pending.Count > 0)
            new CompletionOrder(reader, _pending).Run([content]);
    }

    /// <summary>Has the plan look at the collection again when the graph is complete.</summary>
    internal void AddCheck(ObjectPlan plan, object instance, object content) =>
        _checks.Add(new PendingContent(plan, instance, content));

    internal void Run(SlimReader reader)
    {
        if (_pending.Count == 1)
            _pending[0].Complete(reader);
        else if (_pending.Count > 1)
            new CompletionOrder(reader, _pending).Run(_pending.Select(static p => p.Instance));
        foreach (PendingContent check in _checks)
            check.Plan.CheckComplete(check.Instance, check.Content);
        Clear();
    }

    internal void Clear()
    {
        Clear(_pending);
        Clear(_checks);
    }

    private static void Clear(List<PendingContent> list)
    {
        list.Clear();
        if (list.Capacity > RetainedCount)
            list.Capacity = 0;
    }
}
