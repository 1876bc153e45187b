using Cluster.Slim.Graph;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Callbacks;

/// <summary>Completes objects by their type's own code when all that they reach is complete: at once if that is so
/// after their body, else after the whole graph, see <see cref="Completions"/>. Stateless.</summary>
internal static class OwnCompletion
{
    /// <summary>Ends the body that began at the mark.</summary>
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

        // The code may change what the keys of collections hold.
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
