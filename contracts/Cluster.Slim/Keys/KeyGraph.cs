using Cluster.Slim.Errors;
using Cluster.Slim.Types;

namespace Cluster.Slim.Keys;

/// <summary>Checks a key that is hashed or compared by code of the user or the compiler: the key must have no cycle and
/// must not be too deep. Otherwise its own hash function would overflow the stack, as that of a record that refers to
/// itself. The walk uses no recursion and visits each object once until <see cref="Forget"/>. Owned by one
/// <see cref="KeyLedger"/>.</summary>
internal sealed class KeyGraph(KeyLedger ledger)
{
    // More than every limit allows, and small enough that sums do not overflow.
    private const long StepsMax = 1L << 50;

    private readonly HashSet<object> _open = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, (int Height, long Steps)> _known = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Type, KeyShape> _shapes = [];
    private readonly Stack<Frame> _frames = new();
    private KeyShape? _lastShape;
    private Type? _lastType;
    private bool _isShared;
    private int _depthMax;
    private long _steps;

    /// <summary>Does the work of <see cref="KeyLedger.CostOf"/>.</summary>
    public long Check(object? key, bool isShared, int depthMax)
    {
        _steps = 0;
        _isShared = isShared;
        _depthMax = depthMax;
        Enter(key);
        while (_frames.TryPeek(out var frame))
        {
            if (frame.Parts.MoveNext())
                Enter(frame.Parts.Current);
            else
                Leave(frame);
        }

        return _steps;
    }

    /// <summary>Forgets the objects, but not their types.</summary>
    public void Forget() => _known.Clear();

    private void Enter(object? value)
    {
        if (value is null)
            return;
        var shape = ShapeOf(value.GetType());
        if (shape.IsLeaf)
        {
            if (_isShared || _frames.Count > 0)
                Report(0, KeyShape.TextStepsOf(value));
            return;
        }

        ledger.IsUncertain |= !shape.IsSteady;
        if (shape.Fields.Length == 0 && !shape.IsTuple && !shape.IsInline)
        {
            Report(1, KeyLedger.PartSteps + TextStepsOf(shape, value));
            return;
        }

        if (_known.TryGetValue(value, out var known))
        {
            // A shared part is walked once, but its height and cost count at each place that holds it.
            Report(known.Height, known.Steps);
            return;
        }

        ledger.Add(KeyLedger.WalkSteps);
        if (!shape.IsValue && !_open.Add(value))
            ThrowContainsItself(value.GetType());
        _frames.Push(new Frame(value, shape, PartsOf(value, shape).GetEnumerator()));
        if (_frames.Count > _depthMax)
            ThrowTooDeep();
    }

    private void Leave(Frame frame)
    {
        _frames.Pop();
        frame.Steps = Math.Min(StepsMax, frame.Steps + TextStepsOf(frame.Shape, frame.Value, isCounted: true));
        if (!frame.Shape.IsValue)
        {
            _open.Remove(frame.Value);
            _known[frame.Value] = (frame.Height, frame.Steps);
        }

        Report(frame.Height, frame.Steps);
    }

    private void Report(int partHeight, long steps)
    {
        if (_frames.TryPeek(out var owner))
        {
            owner.Height = Math.Max(owner.Height, partHeight + 1);
            owner.Steps = Math.Min(StepsMax, owner.Steps + steps);
        }
        else
        {
            _steps = steps;
        }

        if (_frames.Count + partHeight > _depthMax)
            ThrowTooDeep();
    }

    // If only one collection holds the key, the message has paid for this text already: its bytes are in the message.
    private long TextStepsOf(KeyShape shape, object value, bool isCounted = false)
    {
        long steps = 0;
        if (isCounted || _isShared || _frames.Count > 0)
        {
            foreach (var field in shape.TextFields)
                steps += KeyShape.TextStepsOf(field.GetValue(value));
        }

        return steps;
    }

    /// <summary>Describes what code that hashes objects of the type may read.</summary>
    public KeyShape ShapeOf(Type type)
    {
        if (ReferenceEquals(type, _lastType))
            return _lastShape!;
        if (!_shapes.TryGetValue(type, out var shape))
            _shapes.Add(type, shape = new KeyShape(type));
        _lastType = type;
        return _lastShape = shape;
    }

    private void ThrowContainsItself(Type type)
    {
        if (ledger.IsWriting)
        {
            throw Throw.NotSupported(
                type, "it is the key of a collection and contains itself, so that its own hash code would not end.");
        }

        Throw.Malformed($"A key of type {type} contains itself.");
    }

    private void ThrowTooDeep() => Throw.Limit(nameof(SlimLimits.MaxKeyDepth), _depthMax, _depthMax + 1L);

    private static IEnumerable<object?> PartsOf(object value, KeyShape shape)
    {
        if (shape.IsTuple)
        {
            var tuple = (ITuple)value;
            for (var i = 0; i < tuple.Length; i++)
                yield return tuple[i];
            yield break;
        }

        if (shape.IsInline)
        {
            foreach (var element in InlineElements.ElementsOf(value)!)
                yield return element;
            yield break;
        }

        foreach (var field in shape.Fields)
            yield return field.GetValue(value);
    }

    /// <summary>One value on the path from the key to the current part.</summary>
    private sealed class Frame(object value, KeyShape shape, IEnumerator<object?> parts)
    {
        public object Value => value;

        public KeyShape Shape => shape;

        public IEnumerator<object?> Parts => parts;

        public int Height { get; set; } = 1;

        public long Steps { get; set; } = KeyLedger.PartSteps;
    }
}
