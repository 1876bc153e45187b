using Cluster.StateStore;

namespace Cluster.SystemTests.Host;

/// <summary>Changes a note on its owner.</summary>
/// <param name="text">The new text of the note.</param>
public sealed class Revise(string text) : IStateOperation<Note, int>
{
    private readonly string _text = text;

    /// <inheritdoc />
    public int Apply(ref Note? state, in OperationContext context)
    {
        state ??= new Note();
        state.Text = _text;
        return ++state.Revision;
    }
}
