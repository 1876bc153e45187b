using Cluster.Slim.Graph;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Lets a type's own code complete its objects when all objects that they reach are complete: directly after
/// the body if possible, else after the whole graph, see <see cref="Completions"/>. Stateless.</summary>
internal static class OwnCompletion
{
    /// <summary>Ends the body that began at the mark: completes the object, or registers it for the end of the
    /// graph.</summary>
    public static void End(
        SlimReader reader, in PartMark mark, TypeSerializer serializer, object instance, SerializedContent content)
    {
        if (reader.EndPart(mark))
            Run(reader, instance, content);
        else
            reader.Completions.Add(serializer, instance, content);
    }

    public static void Run(SlimReader reader, object instance, object content)
    {
        var state = (SerializedContent)content;
        if (state.IsDone)
            return;
        state.IsDone = true;

        // The user's code may change objects that are keys of collections.
        reader.Keys.Forget();
        state.Recipe?.Apply(reader, instance, state);
        if (state.Callbacks is not { } callbacks)
            return;
        reader.Completions.AddCompleted(callbacks, instance);
        var real = callbacks.RealObjectOf(reader, instance);
        if (!ReferenceEquals(real, instance))
            reader.Completions.Substitutions.Add(instance, real);
    }
}
