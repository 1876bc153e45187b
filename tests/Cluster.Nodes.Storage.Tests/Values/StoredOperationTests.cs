using Cluster.Nodes.Storage.Values;
using Cluster.StateStore;

namespace Cluster.Nodes.Storage.Tests.Values;

/// <summary>What the owner's operations do with a record.</summary>
public sealed class StoredOperationTests
{
    private static readonly DateTimeOffset Now = new(2030, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly OperationContext Context = new(Now, 0);

    [Fact]
    public void Write_ThatDependsOnARecordThatIsNotInMemory_DoesNothing()
    {
        Stored<Account>? state = null;
        Assert.True(Deposit(1).Apply(ref state, Context).IsNotInMemory);
        Assert.Equal(WriteOutcome.NotInMemory, new PutIfRevision<Account>(new Account(), 0).Apply(ref state, Context).Outcome);
        Assert.Equal(WriteOutcome.NotInMemory, new RemoveValue<Account>().Apply(ref state, Context).Outcome);
        Assert.Null(state);
    }

    [Fact]
    public void Write_OverAMarker_HasItsLineageAndAGreaterRevision()
    {
        var future = Now.AddDays(1).UtcTicks;
        var marker = Stored<Account>.Marker(StorageRecord.Removed<Account>(future));
        var state = marker;
        var answer = Deposit(3).Apply(ref state, Context);
        Assert.Equal((3, future + 1, marker.Lineage.Id), (answer.Result, answer.Revision, answer.LineageId));
        Assert.Equal((3, true, marker.Lineage), (state!.Value!.Balance, state.IsDirty, state.Lineage));
        state = marker;
        var put = new PutIfRevision<Account>(new Account(), 0).Apply(ref state, Context);
        Assert.Equal(new WriteAnswer(WriteOutcome.Written, future + 1, marker.Lineage.Id), put);
    }

    [Fact]
    public void Put_HasTheBlindLineage_AndTheTimeOfThePartition()
    {
        var state = Stored<Account>.From(new StorageRecord<Account>(new Account(), 70));
        Assert.Equal(Now.UtcTicks, new PutValue<Account>(new Account()).Apply(ref state, Context));
        Assert.Equal(Lineage.Blind, state!.Lineage);
    }

    [Fact]
    public void Removal_StaysUntilItIsStored()
    {
        var state = Stored<Account>.From(new StorageRecord<Account>(new Account(), 70));
        var answer = new RemoveValue<Account>().Apply(ref state, Context);
        Assert.Equal((true, true, false), (state!.IsRemoved, state.IsDirty, state.IsMarker));
        Assert.True(new MarkStored<Account>(70).Apply(ref state, Context));
        Assert.NotNull(state);
        Assert.False(new MarkStored<Account>(answer.Revision).Apply(ref state, Context));
        Assert.Null(state);
    }

    [Theory]
    [InlineData(69, 1, true)]
    [InlineData(70, 1, true)]
    [InlineData(71, 1, false)]
    public void Lineage_IncludesWhatWasLoadedAndItsOwnWrites(long revision, long otherId, bool isIncluded)
    {
        var lineage = Lineage.Loaded(70);
        Assert.Equal(isIncluded, lineage.Includes(revision, otherId));
        Assert.True(lineage.Includes(revision, lineage.Id));
        Assert.True(Lineage.Blind.Includes(revision, otherId));
    }

    private static StoredOperation<Deposit, Account, int> Deposit(int amount) => new(new Deposit(amount));
}
