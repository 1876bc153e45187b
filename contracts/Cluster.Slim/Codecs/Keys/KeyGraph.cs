using System.Reflection;
using System.Runtime.CompilerServices;
using Cluster.Slim.Types;

namespace Cluster.Slim.Codecs;

/// <summary>
/// Checks that a key whose hash or comparison is user or compiler-written code holds no cycle and is not deep: a
/// record
/// that refers to itself would overflow the stack in its own hash function. Walks without recursion.
/// </summary>
internal sealed class KeyGraph
{
    private const int DepthMax = 64;

    // More than any limit on parts allows, and far from where sums of it overflow.
    private const long PartsMax = 1L << 40;

    private readonly HashSet<object> _open = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<object, (int Height, long Parts)> _known = new(ReferenceEqualityComparer.Instance);
    private readonly Stack<Frame> _frames = new();
    private long _parts;

    /// <summary>Whether values of the type can reach a class that hashes by its content and holds others.</summary>
    internal static bool CanBeCyclic(Type type)
    {
        HashSet<Type> seen = [];
        Queue<Type> waiting = new([type]);
        while (waiting.TryDequeue(out Type? next))
        {
            if (IsLeaf(next) || !seen.Add(next))
                continue;
            if (!next.IsValueType)
                return !next.IsSealed || TypeShape.PartsOf(next).Any(static p => !IsLeaf(p));
            foreach (Type part in TypeShape.PartsOf(next))
                waiting.Enqueue(part);
        }

        return false;
    }

    /// <summary>
    /// Refuses a key that contains itself or is deeper than 64 levels. Returns how many parts its own code would visit:
    /// shared parts count as often as they are reached, which doubles with every level of a hostile key.
    /// </summary>
    internal long Check(object? key)
    {
        _parts = 0;
        Enter(key);
        while (_frames.TryPeek(out Frame? frame))
        {
            if (frame.Parts.MoveNext())
                Enter(frame.Parts.Current);
            else
                Leave(frame);
        }

        return _parts;
    }

    private void Enter(object? value)
    {
        if (value is null || IsLeaf(value.GetType()))
            return;
        if (_known.TryGetValue(value, out (int Height, long Parts) known))
        {
            // Shared parts are walked once; their height counts wherever they occur again.
            Report(known.Height, known.Parts);
            return;
        }

        if (!value.GetType().IsValueType && !_open.Add(value))
            Throw.Malformed($"A key of type {value.GetType()} contains itself.");
        _frames.Push(new Frame(value, PartsOf(value).GetEnumerator()));
        if (_frames.Count > DepthMax)
            ThrowTooDeep();
    }

    private void Leave(Frame frame)
    {
        _frames.Pop();
        if (!frame.Value.GetType().IsValueType)
        {
            _open.Remove(frame.Value);
            _known[frame.Value] = (frame.Height, frame.Visits);
        }

        Report(frame.Height, frame.Visits);
    }

    private void Report(int partHeight, long parts)
    {
        if (_frames.TryPeek(out Frame? owner))
        {
            owner.Height = Math.Max(owner.Height, partHeight + 1);
            owner.Visits = Math.Min(PartsMax, owner.Visits + parts);
        }
        else
        {
            _parts = parts;
        }

        if (_frames.Count + partHeight > DepthMax)
            ThrowTooDeep();
    }

    private static void ThrowTooDeep() =>
        Throw.FormatLimit("KeyDepth", $"A key is nested deeper than {DepthMax} levels.");

    private static IEnumerable<object?> PartsOf(object value)
    {
        if (value is ITuple tuple)
        {
            for (int i = 0; i < tuple.Length; i++)
                yield return tuple[i];
            yield break;
        }

        if (InlineElements.ElementsOf(value) is { } elements)
        {
            foreach (object? element in elements)
                yield return element;
            yield break;
        }

        Type type = value.GetType();
        IEnumerable<FieldInfo> fields = TypeRules.IsFramework(type)
            ? type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            : TypeShape.FieldsOf(type);
        foreach (FieldInfo field in fields)
        {
            if (!IsLeaf(field.FieldType))
                yield return field.GetValue(value);
        }
    }

    // Arrays and collections hash by reference, framework values by their own bytes.
    private static bool IsLeaf(Type type)
    {
        if (type.IsPrimitive || type.IsEnum || type == typeof(string) || type.IsArray || type.IsPointer)
            return true;
        if (type == typeof(object) || type.IsInterface)
            return false;
        if (TypeRules.IsFramework(type))
            return !type.IsGenericType || !(type.IsValueType || typeof(ITuple).IsAssignableFrom(type));
        return !type.IsValueType && type.IsSealed && HashesByReference(type);
    }

    /// <summary>Whether equality of objects of the type is identity, and they have no order.</summary>
    internal static bool HashesByReference(Type type) =>
        !type.IsValueType && !TypeRules.IsFramework(type)
        && type.GetMethod(nameof(GetHashCode), Type.EmptyTypes)!.DeclaringType == typeof(object)
        && type.GetMethod(nameof(Equals), [typeof(object)])!.DeclaringType == typeof(object)
        && !typeof(IComparable).IsAssignableFrom(type);

    /// <summary>A value on the way from the key to the part being walked.</summary>
    private sealed class Frame(object value, IEnumerator<object?> parts)
    {
        internal object Value => value;

        internal IEnumerator<object?> Parts => parts;

        internal int Height { get; set; } = 1;

        internal long Visits { get; set; } = 1;
    }
}
