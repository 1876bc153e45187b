using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;
using Cluster.Slim.Registry;
using Cluster.Slim.Types;

namespace Cluster.Slim.Projections;

/// <summary>Reads one member from a message: the objects on the path to it are skipped like all others, except for the
/// field that leads on. Where the path leads to an earlier object, that object is built. Safe for many
/// threads.</summary>
/// <typeparam name="TResult">The type of the member.</typeparam>
internal sealed class ProjectionReader<TResult>(FieldInfo[] path, SerializerRegistry registry)
{
    // Other results may refer to later objects of the message.
    private static readonly bool EndsEarly =
        typeof(TResult) == typeof(string) || !RuntimeHelpers.IsReferenceOrContainsReferences<TResult>();

    private readonly ProjectionStep[] _steps = Array.ConvertAll(path, field => new ProjectionStep(field, registry));

    /// <summary>Reads from the beginning of the root, whose head and type have been read.</summary>
    public TResult? Read(SlimReader reader, TypeLayout root)
    {
        Found found = default;
        if (ReadObject(reader, root, 0, ref found))
            return found.Value;
        var value = reader.FinishRoot(found.Value);
        reader.CheckEnd();
        return found.Owner is { } owner ? Follow(owner, found.Step) : value;
    }

    // True: the rest of the message is not needed.
    private bool ReadObject(SlimReader reader, TypeLayout layout, int step, ref Found found)
    {
        if (layout.Creation.Length > 0 || layout.IsValue || layout.Body is not [{ Op: LayoutOp.Fields }])
        {
            var handle = reader.Handles.Count;
            reader.Skipper.SkipNew(layout);
            found = new Found(default, reader.ReadReference((uint)handle + ObjectTags.ReferenceFirst), step);
            return false;
        }

        var depth = ++reader.Depth;
        var entry = reader.Skipped.Begin(layout, depth);
        reader.Skipped.BeginBody(entry);
        if (ReadFields(reader, layout, step, ref found))
            return true;
        reader.Skipped.End(entry);
        reader.Depth = depth - 1;
        return false;
    }

    private bool ReadFields(SlimReader reader, TypeLayout layout, int step, ref Found found)
    {
        var match = _steps[step].MatchOf(layout, reader.Allowed);
        if (match.Index < 0 && EndsEarly)
            return true;
        for (var i = 0; i < layout.Fields.Length; i++)
        {
            var type = layout.Fields[i].Type;
            if (i != match.Index)
                reader.Skipper.SkipPlace(type);
            else if (step == _steps.Length - 1)
                found = new Found(ReadResult(reader, match), null, 0);
            else if (type.IsValue && type.Body is not [{ Op: LayoutOp.Fields }])
                found = new Found(default, ReadStruct(reader, match.Serializer!), step + 1);
            else if (ReadPlace(reader, type, step + 1, ref found))
                return true;
            if (i == match.Index && EndsEarly && found.Owner is null)
                return true;
        }

        return false;
    }

    // Reads a struct that is not written field by field, such as one with a codec.
    private static object? ReadStruct(SlimReader reader, FieldSerializer serializer)
    {
        var wasRecording = reader.Skipped.BeginRecording();
        var value = serializer.ReadBoxed(reader);
        reader.Skipped.EndRecording(wasRecording);
        return value;
    }

    private static TResult ReadResult(SlimReader reader, ProjectionStep.Match match)
    {
        var serializer = (FieldSerializer<TResult>)match.Serializer!;
        if (EndsEarly)
            return serializer.Read(reader);
        var wasRecording = reader.Skipped.BeginRecording();
        var result = serializer.Read(reader);
        reader.Skipped.EndRecording(wasRecording);
        return result;
    }

    private bool ReadPlace(SlimReader reader, TypeLayout declared, int step, ref Found found)
    {
        if (declared.IsValue)
        {
            reader.Depth++;
            var isEnd = ReadFields(reader, declared, step, ref found);
            reader.Depth--;
            return isEnd;
        }

        var head = reader.ReadVar();
        switch (head)
        {
            case ObjectTags.Null:
                return EndsEarly;
            case ObjectTags.NewExact:
                if (declared.IsOpen)
                    Throw.Malformed($"An object without its type stands in a place of {declared.Name}.");
                return ReadObject(reader, declared, step, ref found);
            case ObjectTags.NewTyped:
                return ReadObject(reader, reader.ReadLayout(), step, ref found);
            default:
                found = new Found(default, reader.ReadReference(head), step);
                return false;
        }
    }

    private TResult? Follow(object owner, int step)
    {
        var at = owner;
        for (; step < _steps.Length && at is not null; step++)
        {
            var field = _steps[step].Field;
            if (!field.DeclaringType!.IsInstanceOfType(at))
                throw Throw.Layout($"{at.GetType()}", $"{at.GetType()} has no member {MemberNames.Of(field)}.");
            at = field.GetValue(at);
        }

        return (TResult?)at;
    }

    /// <summary>The result so far: the member, or a built object and its position on the path.</summary>
    private readonly record struct Found(TResult? Value, object? Owner, int Step);
}
