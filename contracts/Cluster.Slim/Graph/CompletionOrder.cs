namespace Cluster.Slim.Graph;

/// <summary>
/// Fills waiting collections so that whatever the hash of a key may look at is filled before: a walk over everything
/// the keys reach, strongly connected parts last to first, without recursion. Within a cycle nothing can be first by
/// right; there the later handle is. Made for one run; used by one thread.
/// </summary>
internal sealed class CompletionOrder
{
    private const int NodeBytes = 128;

    private readonly SlimReader _reader;
    private readonly Dictionary<object, PendingContent> _pending = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, Node> _nodes = new(ReferenceEqualityComparer.Instance);
    private readonly ObjectParts _parts = new();
    private readonly Stack<Frame> _frames = new();
    private readonly Stack<Node> _open = new();

    internal CompletionOrder(SlimReader reader, List<PendingContent> pending)
    {
        _reader = reader;
        foreach (PendingContent entry in pending)
            _pending[entry.Instance] = entry;
    }

    internal void Run(IEnumerable<object> starts)
    {
        foreach (object start in starts)
        {
            Enter(start);
            while (_frames.TryPeek(out Frame? frame))
            {
                if (frame.Parts.MoveNext())
                    Enter(frame.Parts.Current);
                else
                    Leave(frame);
            }
        }
    }

    private void Enter(object value)
    {
        if (_nodes.TryGetValue(value, out Node? known))
        {
            if (known.IsOpen && _frames.TryPeek(out Frame? owner))
                owner.Node.Low = Math.Min(owner.Node.Low, known.Number);
            return;
        }

        bool waits = _pending.TryGetValue(value, out PendingContent entry);
        if (!waits && !_parts.MayHoldObjects(value.GetType()))
            return;
        _reader.Charge(NodeBytes);
        Node node = new(value, _nodes.Count);
        _nodes.Add(value, node);
        _open.Push(node);
        IEnumerable<object> parts = _parts.Of(value);
        _frames.Push(new Frame(node, (waits ? parts.Append(entry.Content) : parts).GetEnumerator()));
    }

    private void Leave(Frame frame)
    {
        _frames.Pop();
        Node node = frame.Node;
        if (_frames.TryPeek(out Frame? owner))
            owner.Node.Low = Math.Min(owner.Node.Low, node.Low);
        if (node.Low == node.Number)
            CompleteComponent(node);
    }

    private void CompleteComponent(Node first)
    {
        List<PendingContent> waiting = [];
        Node node;
        do
        {
            node = _open.Pop();
            node.IsOpen = false;
            if (_pending.TryGetValue(node.Value, out PendingContent entry))
                waiting.Add(entry);
        }
        while (!ReferenceEquals(node, first));

        if (waiting.Count > 1)
        {
            Dictionary<object, int> handles = _reader.HandlesOf(waiting.Select(static w => w.Instance));
            waiting.Sort((a, b) => handles[b.Instance].CompareTo(handles[a.Instance]));
        }

        foreach (PendingContent entry in waiting)
            entry.Complete(_reader);
    }

    /// <summary>An object of the walk.</summary>
    private sealed class Node(object value, int number)
    {
        internal object Value => value;

        internal int Number { get; } = number;

        internal int Low { get; set; } = number;

        internal bool IsOpen { get; set; } = true;
    }

    /// <summary>An object whose parts are being walked.</summary>
    private sealed record Frame(Node Node, IEnumerator<object> Parts);
}
