using System.Runtime.Serialization;

namespace Cluster.Slim.Types;

#pragma warning disable SYSLIB0050, SYSLIB0051 // The one place that touches the interfaces of the formatters of old.

/// <summary>Calls the framework's own serialization interfaces, which older types still implement. They are obsolete,
/// so no other class names them. Stateless.</summary>
internal static class FormatterInterfaces
{
    /// <summary>The argument of every callback. As with the formatters, it does not say who serializes.</summary>
    public static StreamingContext Context { get; } = new(StreamingContextStates.All);

    /// <summary><see cref="Context"/> in a box, for calls by reflection.</summary>
    public static object BoxedContext { get; } = Context;

    private static FormatterConverter Converter { get; } = new();

    public static bool IsSerializable(Type type) => typeof(ISerializable).IsAssignableFrom(type);

    /// <summary>Whether the objects of the type stand for other objects (<c>IObjectReference</c>).</summary>
    public static bool IsReference(Type type) => typeof(IObjectReference).IsAssignableFrom(type);

    public static SerializationInfo NewInfo(Type type) => new(type, Converter);

    public static void GetContent(object value, SerializationInfo info) =>
        ((ISerializable)value).GetObjectData(info, Context);

    /// <summary>Whether the content names its type by a text. Slim never looks such a text up.</summary>
    public static bool NamesTypeByText(SerializationInfo info) =>
        info.IsFullTypeNameSetExplicit || info.IsAssemblyNameSetExplicit;

    public static object? RealObjectOf(object reference) => ((IObjectReference)reference).GetRealObject(Context);
}
