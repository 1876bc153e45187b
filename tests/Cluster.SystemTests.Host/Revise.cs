using Cluster.StateStore;

namespace Cluster.SystemTests.Host;

/// <summary>Changes a note on its owner.</summary>
/// <param name="text">What it shall say.</param>
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
