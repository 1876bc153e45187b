using Cluster.Slim.Tests.Format;

namespace Cluster.Slim.Tests.Security;

/// <summary>Damaged messages of types whose own code takes part are read or refused, and nothing else.</summary>
[Trait("Case", "slim-M")]
public sealed class UserCodeMutationTests
{
    public static TheoryData<string> Names => [.. GoldenUserCode.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void EveryByte_Changed_IsReadOrRefused(string name)
    {
        (var write, Func<byte[], object?> read) = (GoldenUserCode.All[name].Write, GoldenUserCode.Read);
        var message = write();
        for (var i = 2; i < message.Length; i++)
        {
            var before = message[i];
            foreach (var value in (int[])[0, 1, 2, 3, 4, 5, before ^ 1, before ^ 128, before + 1, before - 1, 255])
            {
                message[i] = (byte)value;
                var error = Record.Exception(() => read(message));
                Assert.True(error is null or SlimException, $"byte {i} = {value}: {error}");
            }

            message[i] = before;
        }
    }
}
