using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Roots;

namespace Cluster.Slim.Projections;

/// <summary>Begins a message whose root is not built.</summary>
internal static class ProjectionStart
{
    /// <summary>Reads up to the content of the root. Returns its layout; null: the root is null.</summary>
    public static unsafe TypeLayout? Read<T>(
        SlimReader reader, SlimEngine engine, Root<T> root, byte* start, int length)
    {
        reader.Begin(engine);
        reader.Start(start, length, 0);
        if (root.Lead is { } lead && RootReader.TryTakeLead(reader, root, lead))
            return engine.Serializers.Layouts.Of(lead.Serializer.Type);
        MessageHeader.Read(reader);
        reader.Allowed = root.Allowed;
        var head = reader.ReadVar();
        if (head == ObjectTags.Null)
            return null;
        if (head != ObjectTags.NewTyped)
            Throw.Malformed("The root is not a new object with its type.");
        var layout = reader.ReadLayout();
        if (layout.Type is { } type && !type.IsAssignableTo(typeof(T)))
            throw Throw.Layout($"{type}", $"The root is a {type}, the projection is of a {typeof(T)}.");
        if (layout.Type == typeof(T))
            root.Lead ??= engine.NewLead(root);
        return layout;
    }
}
