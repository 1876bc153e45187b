using Cluster.Slim.Graph;
using Cluster.Slim.Plans;

namespace Cluster.Slim.Codecs;

/// <summary>
/// An object that its type's own code completes when all that it reaches is complete: at once if that is so after its
/// body, else after the whole graph, see <see cref="Completions"/>.
/// </summary>
internal abstract class CompletedPlan(Type type) : ObjectPlan(type)
{
    internal sealed override void ReadBody(SlimReader reader, object instance)
    {
        PartMark mark = reader.BeginPart();
        SerializedContent content = ReadContent(reader, instance);
        if (reader.EndPart(mark))
            Complete(reader, instance, content);
        else
            reader.Completions.Add(this, instance, content);
    }

    internal sealed override void Complete(SlimReader reader, object instance, object content)
    {
        SerializedContent state = (SerializedContent)content;
        if (state.IsDone)
            return;
        state.IsDone = true;
        state.Recipe?.Apply(reader, instance, state);
        if (state.Callbacks is not { } callbacks)
            return;
        reader.Completions.AddCompleted(callbacks, instance);
        object real = callbacks.RealObjectOf(reader, instance);
        if (!ReferenceEquals(real, instance))
            reader.Completions.Substitutions.Add(instance, real);
    }

    /// <summary>Reads the body up to where the type's own code has to run.</summary>
    private protected abstract SerializedContent ReadContent(SlimReader reader, object instance);
}
