using Cluster.Slim.Types;

namespace Cluster.Slim.Keys;

/// <summary>Describes what code that hashes objects of one exact type may read, as far as declarations show. Immutable.
/// Created again for each message that needs it: a shape that lives longer would keep its type from being
/// unloaded.</summary>
internal sealed class KeyShape
{
    private static readonly Type[] Texts = [typeof(string), typeof(Uri), typeof(BigInteger), typeof(TimeZoneInfo)];

    public KeyShape(Type type)
    {
        IsLeaf = IsLeafType(type) || HashesByReference(type);
        IsValue = type.IsValueType;
        IsTuple = typeof(ITuple).IsAssignableFrom(type);
        IsInline = type.IsValueType && type.GetCustomAttribute<InlineArrayAttribute>() is not null;
        if (IsLeaf || IsTuple || IsInline)
            return;
        IReadOnlyList<FieldInfo> fields = TypeRules.IsFramework(type)
            ? type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)
            : TypeShape.FieldsOf(type);
        Fields = [.. fields.Where(static f => !IsLeafType(f.FieldType))];
        TextFields = [.. fields.Where(static f => Texts.Contains(f.FieldType))];
        IsSteady = IsValue || TypeRules.IsFramework(type) || (fields.All(static f => f.IsInitOnly) && !Forgets(type));
    }

    /// <summary>Whether values hash by reference, or only by their own bytes.</summary>
    public bool IsLeaf { get; }

    public bool IsValue { get; }

    public bool IsTuple { get; }

    /// <summary>Whether the fields are the elements of an inline array.</summary>
    public bool IsInline { get; }

    /// <summary>The fields that may lead to further parts of a key.</summary>
    public FieldInfo[] Fields { get; } = [];

    /// <summary>The fields whose value has a length that the message decides.</summary>
    public FieldInfo[] TextFields { get; } = [];

    /// <summary>Whether an object hashes as it did when it became a key, and its copy hashes the same: no field can
    /// change, and all fields travel.</summary>
    public bool IsSteady { get; } = true;

    /// <summary>The number of steps that the text of a leaf costs; 0 for a leaf without text.</summary>
    public static long TextStepsOf(object? value) => value switch
    {
        string text => text.Length / 2,
        Uri uri => uri.OriginalString.Length / 2,
        BigInteger number => number.GetByteCount() / 4,
        TimeZoneInfo zone => zone.Id.Length / 2,
        _ => 0,
    };

    /// <summary>Whether values of the type can reach a class that hashes by its content and can hold other
    /// objects.</summary>
    public static bool CanBeCyclic(Type type)
    {
        HashSet<Type> seen = [];
        Queue<Type> waiting = new([type]);
        while (waiting.TryDequeue(out var next))
        {
            if (IsLeafType(next) || !seen.Add(next))
                continue;
            if (!next.IsValueType && (!next.IsSealed || TypeShape.PartsOf(next).Any(static p => !IsLeafType(p))))
                return true;
            foreach (var part in TypeShape.PartsOf(next))
                waiting.Enqueue(part);
        }

        return false;
    }

    /// <summary>Whether values of the type can reach an object that hashes by its content. Two collections could share
    /// that object, and a change of it would change its hash.</summary>
    public static bool CanBeShared(Type type)
    {
        HashSet<Type> seen = [];
        Queue<Type> waiting = new([type]);
        while (waiting.TryDequeue(out var next))
        {
            if (!next.IsValueType && next != typeof(string) && (!next.IsSealed || !HashesByReference(next)))
                return true;
            if (next.IsPrimitive || !seen.Add(next))
                continue;
            foreach (var part in TypeShape.PartsOf(next))
                waiting.Enqueue(part);
        }

        return false;
    }

    /// <summary>Whether equality of objects of the type is identity, and the objects have no order.</summary>
    public static bool HashesByReference(Type type) =>
        !type.IsValueType && !TypeRules.IsFramework(type)
        && type.GetMethod(nameof(GetHashCode), Type.EmptyTypes)!.DeclaringType == typeof(object)
        && type.GetMethod(nameof(Equals), [typeof(object)])!.DeclaringType == typeof(object)
        && !typeof(IComparable).IsAssignableFrom(type);

    // Arrays and collections hash by reference, framework values by their own bytes.
    private static bool IsLeafType(Type type)
    {
        if (type.IsPrimitive || type.IsEnum || type == typeof(string) || type.IsArray || type.IsPointer)
            return true;
        if (type == typeof(object) || type.IsInterface)
            return false;
        if (TypeRules.IsFramework(type) && type != typeof(System.Collections.DictionaryEntry))
            return !type.IsGenericType || !(type.IsValueType || typeof(ITuple).IsAssignableFrom(type));
        return !type.IsValueType && type.IsSealed && HashesByReference(type);
    }

    private static bool Forgets(Type type)
    {
        for (var level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
        {
            var fields = level.GetFields(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly);
            if (Array.Exists(fields, static f => f.IsDefined(typeof(NonSerializedAttribute), false)))
                return true;
        }

        return false;
    }
}
