using Cluster.StateStore.Engine.Folders;

namespace Cluster.StateStore.Tests.Engine.Folders;

/// <summary>Words that outlive the process, which ends before a store.</summary>
/// <param name="count">The words.</param>
internal sealed class MortalMemory(int count) : IMarkMemory
{
    private readonly ulong[] _words = new ulong[count];

    /// <summary>How many stores the process still makes.</summary>
    public int StoresLeft { get; set; } = int.MaxValue;

    public ulong this[int index]
    {
        get => _words[index];
        set
        {
            if (StoresLeft-- <= 0)
                throw new ProcessEndedException();
            _words[index] = value;
        }
    }
}
