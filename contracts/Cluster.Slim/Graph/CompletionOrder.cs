using Cluster.Slim.Keys;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Graph;

/// <summary>Fills waiting collections in an order in which everything that the hash of a key may read is filled before
/// the key is hashed: a walk over all objects that the keys reach, strongly connected parts last to first, without
/// recursion. In a cycle no order is right; there the object with the later handle is filled first. Made for one run;
/// used by one thread.</summary>
internal sealed class CompletionOrder
{
    private const int NodeBytes = 128;

    private readonly SlimReader _reader;
    private readonly Substitutions _substitutions;
    private readonly PlacePatcher _patcher;
    private readonly Dictionary<object, List<PendingContent>> _pending;
    private readonly Dictionary<object, Node> _nodes;
    private readonly ObjectParts _parts = new();
    private readonly Stack<Frame> _frames = new();
    private readonly Stack<Node> _open = new();
    private readonly bool _isRepeated;
    private Dictionary<object, int>? _handles;

    /// <summary>Prepares a walk.</summary>
    /// <param name="reader">The reader of the objects.</param>
    /// <param name="pending">The waiting collections.</param>
    /// <param name="isRepeated">Whether the message decides how often its objects are walked: then each step counts
    /// against its limit.</param>
    public CompletionOrder(SlimReader reader, List<PendingContent> pending, bool isRepeated = false)
    {
        _isRepeated = isRepeated;
        _pending = new(isRepeated ? 0 : pending.Count, ReferenceEqualityComparer.Instance);
        _nodes = new(isRepeated ? 0 : pending.Count, ReferenceEqualityComparer.Instance);
        _reader = reader;
        _substitutions = reader.Completions.Substitutions;
        _patcher = new PlacePatcher(_parts, _substitutions);
        foreach (var entry in pending)
        {
            // A collection with callbacks is filled first, and its callbacks run afterwards.
            if (!_pending.TryGetValue(entry.Instance, out var entries))
                _pending.Add(entry.Instance, entries = new(1));
            entries.Add(entry);
        }
    }

    public void Run(IEnumerable<object> starts)
    {
        foreach (var start in starts)
        {
            Enter(start);
            while (_frames.TryPeek(out var frame))
            {
                if (_isRepeated)
                    _reader.Keys.Add(KeyLedger.PartSteps);
                if (frame.Parts.MoveNext())
                    Enter(frame.Parts.Current);
                else
                    Leave(frame);
            }
        }
    }

    /// <summary>Replaces substitutes by their real objects in all places below the root.</summary>
    public void Replace(object root)
    {
        Run([root]);
        _patcher.CheckAll();
    }

    private void Enter(object value)
    {
        if (_nodes.TryGetValue(value, out var known))
        {
            if (known.IsOpen && _frames.TryPeek(out var owner))
                owner.Node.Low = Math.Min(owner.Node.Low, known.Number);
            return;
        }

        var waits = _pending.TryGetValue(value, out var entries);
        if (_substitutions.IsForeign(value) || !(waits || _parts.MayHoldObjects(value.GetType())))
            return;
        _reader.Charge(NodeBytes);
        if (_isRepeated)
            _reader.Keys.Add(KeyLedger.WalkSteps + ((value as Array)?.LongLength ?? 0));
        Node node = new(value, _nodes.Count);
        _nodes.Add(value, node);
        _open.Push(node);
        var parts = waits ? PartsOf(value, entries!) : _parts.Of(value);
        _frames.Push(new Frame(node, parts.GetEnumerator()));
    }

    // Named values belong to one object, so the walk visits their parts as parts of that object: one step instead of
    // three.
    private IEnumerable<object> PartsOf(object value, List<PendingContent> entries)
    {
        foreach (var part in _parts.Of(value))
            yield return part;
        foreach (var entry in entries)
        {
            if (entry.Content is not INamedContent content)
            {
                yield return entry.Content;
                continue;
            }

            foreach (var named in content.Values)
            {
                if (named is not null)
                    yield return named;
            }
        }
    }

    private void Leave(Frame frame)
    {
        _frames.Pop();
        var node = frame.Node;
        if (_frames.TryPeek(out var owner))
            owner.Node.Low = Math.Min(owner.Node.Low, node.Low);
        if (node.Low == node.Number)
            CompleteComponent(node);
    }

    private void CompleteComponent(Node first)
    {
        if (ReferenceEquals(_open.Peek(), first) && _substitutions.Count == 0)
        {
            _open.Pop().IsOpen = false;
            if (_pending.TryGetValue(first.Value, out var only))
                CompleteEach(only, [first.Value]);
            return;
        }

        List<object> members = [];
        List<PendingContent> waiting = [];
        Node node;
        do
        {
            node = _open.Pop();
            node.IsOpen = false;
            members.Add(node.Value);
            if (_pending.TryGetValue(node.Value, out var entries))
                waiting.AddRange(entries);
        }
        while (!ReferenceEquals(node, first));

        PatchAll(members);
        CompleteEach(ByDescendingHandle(waiting), members);
    }

    private void CompleteEach(List<PendingContent> waiting, List<object> members)
    {
        var before = _substitutions.Count;
        foreach (var entry in waiting)
        {
            if (_substitutions.Count > 0)
                _patcher.PatchContent(entry.Content);
            entry.Complete(_reader);
        }

        if (_substitutions.Count > before)
            PatchAll(members);
    }

    private void PatchAll(List<object> members)
    {
        if (_substitutions.Count == 0)
            return;
        _reader.Keys.Forget();
        foreach (var member in members)
            _patcher.Patch(member);
    }

    // The sort is stable, so that the contents of one object stay in their order.
    private List<PendingContent> ByDescendingHandle(List<PendingContent> waiting)
    {
        if (waiting.Count < 2)
            return waiting;
        // Found once for all waiting collections: a message may have very many cycles, and the search visits every
        // handle.
        _handles ??= _reader.HandlesOf(_pending.Keys);
        return [.. waiting.OrderByDescending(w => _handles[w.Instance])];
    }

    /// <summary>An object of the walk.</summary>
    private sealed class Node(object value, int number)
    {
        public object Value => value;

        public int Number { get; } = number;

        public int Low { get; set; } = number;

        public bool IsOpen { get; set; } = true;
    }

    /// <summary>An object whose parts are being walked.</summary>
    private sealed record Frame(Node Node, IEnumerator<object> Parts);
}
