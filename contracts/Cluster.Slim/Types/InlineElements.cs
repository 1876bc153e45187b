namespace Cluster.Slim.Types;

/// <summary>Structs that are a fixed number of elements in one field: inline arrays and fixed buffers.</summary>
/// <param name="Element">The element type.</param>
/// <param name="Length">The number of elements.</param>
internal sealed record InlineElements(Type Element, int Length)
{
    private static readonly MethodInfo CopyMethod =
        typeof(InlineElements).GetMethod(nameof(Copy), BindingFlags.Static | BindingFlags.NonPublic)!;

    /// <summary>The elements of a boxed inline array, whose field is only the first element; null for other
    /// values.</summary>
    public static Array? ElementsOf(object value)
    {
        var type = value.GetType();
        if (!type.IsValueType || type.GetCustomAttribute<InlineArrayAttribute>() is not { } inline)
            return null;
        var first = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic)[0];
        return (Array)CopyMethod.MakeGenericMethod(type, first.FieldType).Invoke(null, [value, inline.Length])!;
    }

    public static InlineElements? Find(Type type)
    {
        if (!type.IsValueType || type.IsPrimitive || type.IsEnum || TypeRules.IsFramework(type))
            return null;
        var fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
        if (fields.Length != 1)
            return null;
        var element = fields[0].FieldType;
        if (type.GetCustomAttribute<InlineArrayAttribute>() is { } inline)
            return new InlineElements(element, inline.Length);
        return type.IsDefined(typeof(UnsafeValueTypeAttribute), false) && fields[0].Name == "FixedElementField"
            ? new InlineElements(element, TypeShape.ValueBytesOf(type) / TypeShape.ValueBytesOf(element))
            : null;
    }

    private static TElement[] Copy<T, TElement>(object value, int length)
        where T : struct =>
        MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<T, TElement>(ref Unsafe.Unbox<T>(value)), length).ToArray();
}
