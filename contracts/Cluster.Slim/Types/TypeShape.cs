namespace Cluster.Slim.Types;

/// <summary>The facts that the declaration of a type shows about its values: carried fields, and types reached from
/// it.</summary>
internal static class TypeShape
{
    private const BindingFlags Declared =
        BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    /// <summary>The carried instance fields of the user types in the chain, base first. Fields of classes are ordered
    /// by name. Fields of structs are ordered as declared, or by offset where their author placed them, because
    /// sequences of structs lie in memory in that order.</summary>
    public static List<FieldInfo> FieldsOf(Type type)
    {
        List<Type> chain = [];
        for (var level = type; level is not null && !TypeRules.IsFramework(level); level = level.BaseType)
            chain.Add(level);
        chain.Reverse();
        List<FieldInfo> fields = [];
        foreach (var level in chain)
        {
            var carried = level.GetFields(Declared)
                .Where(static f => !f.IsDefined(typeof(NonSerializedAttribute), false));
            fields.AddRange(level.IsValueType
                ? carried.OrderBy(Overlays.OffsetOf).ThenBy(static f => f.MetadataToken)
                : carried.OrderBy(static f => f.Name, StringComparer.Ordinal));
        }

        return fields;
    }

    /// <summary>The nearest framework class that a user's type derives from.</summary>
    public static Type? FrameworkBaseOf(Type type)
    {
        var level = type.BaseType;
        while (level is not null && !TypeRules.IsFramework(level))
            level = level.BaseType;
        return level;
    }

    /// <summary>Whether a user's type has no framework part that a codec must carry.</summary>
    public static bool IsAllUser(Type type) => !type.IsInterface && !type.IsArray && !type.IsEnum
        && !TypeRules.IsFramework(type)
        && FrameworkBaseOf(type) is { } framework && (framework == typeof(object) || framework == typeof(ValueType));

    /// <summary>The field types, elements and generic arguments of a type: the types that its values may
    /// hold.</summary>
    public static IEnumerable<Type> PartsOf(Type type)
    {
        if (type.IsArray)
            return [type.GetElementType()!];
        if (type.IsEnum || type.IsPrimitive || type == typeof(string))
            return [];
        IEnumerable<Type> arguments = type.IsGenericType ? type.GetGenericArguments() : [];
        var extra = FrameworkForms.ExtraPartsOf(type);
        return TypeRules.IsFramework(type)
            ? arguments.Concat(extra)
            : arguments.Concat(FieldsOf(type).Select(static f => f.FieldType)).Concat(extra);
    }

    /// <summary>The size of one instance, for the memory budget; the runtime may arrange fields more densely.</summary>
    public static int InstanceBytesOf(IEnumerable<FieldInfo> fields) =>
        Aligned(Math.Max(24, 16 + fields.Sum(static f => SizeOf(f.FieldType))));

    /// <summary>The size on the heap of an object with this number of bytes.</summary>
    public static int Aligned(int bytes) => checked(bytes + 7) & ~7;

    /// <summary>The exact size of a value type in memory.</summary>
    public static int ValueBytesOf(Type type) =>
        (int)typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!.MakeGenericMethod(type).Invoke(null, null)!;

    private static int SizeOf(Type type)
    {
        if (!type.IsValueType)
            return 8;
        return Math.Max(4, ValueBytesOf(type));
    }
}
