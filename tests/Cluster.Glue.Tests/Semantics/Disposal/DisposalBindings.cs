namespace Cluster.Glue.Tests.Semantics.Disposal;

public sealed class DisposalOverLinkTests() : DisposalSemanticTests(SemanticBinding.Link());

public sealed class DisposalOverUnixSocketTests() : DisposalSemanticTests(SemanticBinding.UnixSocket());

public sealed class DisposalOverMutualTlsTests() : DisposalSemanticTests(SemanticBinding.MutualTls());

public sealed class DisposalOverUnaryTests() : DisposalSemanticTests(SemanticBinding.Unary());

public sealed class DisposalInProcessTests() : DisposalSemanticTests(SemanticBinding.InProcess());

public sealed class DisposalInProcessSerializedTests() : DisposalSemanticTests(SemanticBinding.InProcessSerialized());
